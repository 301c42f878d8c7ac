internal import CCurl

extension CurlURL {
    /// The reason why a text is not a fetchable URL. Never quotes the text, which may contain
    /// secrets.
    package struct Failure: Error, Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            case noScheme
            case unsupportedScheme
            case noHost
            case badHost
            case longHost
            case badPort
            /// A space or a control byte, at an offset in bytes.
            case illegalByte(UInt8, offset: Int)
            /// A percent-encoded control byte where it isn't allowed.
            case badEncoding
            case outOfMemory
            case malformed
        }

        package let reason: Reason
        /// The reason in English, without a full stop.
        package let message: String

        init(_ reason: Reason) {
            self.reason = reason
            message =
                switch reason {
                case .noScheme: "there is no scheme, such as https://, at its start"
                case .unsupportedScheme: "its scheme is not supported"
                case .noHost: "there is no host after its scheme"
                case .badHost: "its host is no valid name or address"
                case .longHost: "its host has more than \(CurlURL.maximumHostLength) characters"
                case .badPort: "its port is no number from 0 to 65535"
                case .illegalByte(let byte, let offset):
                    "the byte \(Self.hex(byte)) at offset \(offset) has to be percent-encoded"
                case .badEncoding: "a part of it decodes to a control byte"
                case .outOfMemory: "there was no memory to read it"
                case .malformed: "it is malformed"
                }
        }

        init(_ code: CURLUcode) {
            switch code {
            case CURLUE_BAD_SCHEME, CURLUE_NO_SCHEME: self.init(.noScheme)
            case CURLUE_UNSUPPORTED_SCHEME: self.init(.unsupportedScheme)
            case CURLUE_NO_HOST: self.init(.noHost)
            case CURLUE_BAD_HOSTNAME, CURLUE_BAD_IPV6, CURLUcode(UInt32(ccurl_url_lacks_idn)):
                self.init(.badHost)
            case CURLUE_BAD_PORT_NUMBER: self.init(.badPort)
            case CURLUE_URLDECODE: self.init(.badEncoding)
            case CURLUE_OUT_OF_MEMORY: self.init(.outOfMemory)
            default:
                let text = unsafe curl_url_strerror(code)
                guard let text = unsafe text else {
                    self.init(.malformed)
                    return
                }
                self.init(malformedBecause: unsafe String(cString: text))
            }
        }

        private init(malformedBecause text: String) {
            reason = .malformed
            message = "it is malformed (\(text))"
        }

        private static func hex(_ byte: UInt8) -> String {
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0x0\(digits)" : "0x\(digits)"
        }
    }
}

extension CurlURL.Failure: CustomStringConvertible {
    package var description: String { message }
}
