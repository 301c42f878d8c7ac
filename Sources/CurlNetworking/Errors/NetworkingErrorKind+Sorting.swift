internal import CurlURLSession
internal import Foundation

extension NetworkingError.Kind {
    init(_ error: any Error) {
        let plain = error as NSError
        switch plain.domain {
        case NSURLErrorDomain:
            self = Self(URLError.Code(rawValue: plain.code) ?? .unknown, plain)
        case URLResponseSerializationErrorDomain:
            self = Self(response: plain)
        case URLRequestSerializationErrorDomain:
            self = .invalidRequest
        default:
            self = Self(foreign: error, plain)
        }
    }

    private init(_ code: URLError.Code, _ error: NSError) {
        switch code {
        case .cancelled, .userCancelledAuthentication:
            self = .cancelled
        case .timedOut:
            self = .timeout
        case .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            self = .connectivity
        case .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            self = .serverTrust(Self.check(code, error))
        case .clientCertificateRejected, .clientCertificateRequired:
            self = .clientCertificate
        case .badURL, .unsupportedURL, .requestBodyStreamExhausted:
            self = .invalidRequest
        default:
            self = .loading(code)
        }
    }

    /// The failed check of a security policy or of the loading system.
    private static func check(_ code: URLError.Code, _ error: NSError) -> ServerTrustFailure? {
        if let failure = error.userInfo[NSUnderlyingErrorKey] as? ServerTrustFailure {
            return failure
        }
        switch code {
        case .serverCertificateHasBadDate: return .expired
        case .serverCertificateNotYetValid: return .notYetValid
        case .serverCertificateHasUnknownRoot: return .unknownAuthority
        default: return nil
        }
    }

    private init(response error: NSError) {
        let response =
            error.userInfo[NetworkingOperationFailingURLResponseErrorKey] as? HTTPURLResponse
        switch URLError.Code(rawValue: error.code) {
        case .badServerResponse where response != nil:
            self = .unacceptableStatusCode(response?.statusCode ?? 0)
        case .cannotDecodeContentData:
            self = .unacceptableContentType(response?.mimeType)
        case .zeroByteResource:
            self = .missingBody
        default:
            self = .undecodableBody
        }
    }

    private init(foreign error: any Error, _ plain: NSError) {
        switch plain.wrapped ?? error {
        case is CancellationError:
            self = .cancelled
        case is DecodingError:
            self = .undecodableBody
        case is EncodingError, is InvalidSecurityPolicy:
            self = .invalidRequest
        case let failure as ServerTrustFailure:
            self = .serverTrust(failure)
        default:
            // 3840: the code for JSON and property lists that can't be parsed.
            let isCorrupt =
                plain.domain == NSCocoaErrorDomain
                && plain.code == CocoaError.Code.propertyListReadCorrupt.rawValue
            let isXML = plain.domain == "NSXMLParserErrorDomain"
            self = isCorrupt || isXML ? .undecodableBody : .other
        }
    }
}
