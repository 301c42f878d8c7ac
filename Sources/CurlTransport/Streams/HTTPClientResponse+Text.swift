internal import HTTPSemantics
internal import HTTPTypes

extension HTTPClientResponse {
    /// Reads the whole content as text.
    ///
    /// The charset of `Content-Type` decides how: `utf-8` (also without a charset), `us-ascii`,
    /// `iso-8859-1`, `utf-16`, `utf-16le` and `utf-16be`. Without a byte order mark, `utf-16` is big
    /// endian. A byte order mark is removed. Bytes that aren't valid in the charset become U+FFFD.
    ///
    /// - Parameter limit: the maximum size in bytes, decompressed. The transfer is cancelled beyond
    ///   it.
    /// - Throws: ``TransportError/Code/decodingFailed`` for another charset, before the content is
    ///   read; ``TransportError/Code/responseTooLarge`` beyond the limit; or any other error of the
    ///   transfer. After an error about the charset, ``body`` can still be read.
    public func collectString(maximumBytes limit: Int) async throws(TransportError) -> String {
        let encoding = try textEncoding()
        return encoding.text(try await body.collect(upTo: limit))
    }

    private func textEncoding() throws(TransportError) -> TextEncoding {
        guard let type = headerFields[.contentType],
            let charset = ParameterizedValue(type)["charset"]
        else { return .utf8 }
        guard let encoding = TextEncoding(charset: charset) else {
            throw TransportError(
                .decodingFailed,
                phase: .decoding,
                message: "the response's text has the charset \"\(charset)\". Only utf-8, "
                    + "us-ascii, iso-8859-1 and utf-16 can be read as a string; collect the bytes.",
                url: request.url
            )
        }
        return encoding
    }
}

/// The encodings of text that can be read without Foundation.
enum TextEncoding: Sendable, Hashable {
    case utf8
    case ascii
    /// Each byte is the Unicode scalar of its number.
    case latin1
    case utf16
    case utf16LittleEndian
    case utf16BigEndian

    /// Source: the names of IANA's registry of character sets, and the common `utf8`.
    init?(charset: String) {
        switch charset.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii": self = .ascii
        case "iso-8859-1", "iso_8859-1", "latin1": self = .latin1
        case "utf-16": self = .utf16
        case "utf-16le": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        default: return nil
        }
    }

    /// Decodes text, without its byte order mark. Invalid bytes become U+FFFD.
    func text(_ bytes: [UInt8]) -> String {
        switch self {
        case .utf8:
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            return String(decoding: bytes[start...], as: UTF8.self)
        case .ascii:
            return Self.scalars(bytes) { $0 < 0x80 ? Unicode.Scalar($0) : "\u{FFFD}" }
        case .latin1:
            return Self.scalars(bytes) { Unicode.Scalar($0) }
        case .utf16:
            return Self.text(bytes, isLittleEndian: bytes.starts(with: [0xFF, 0xFE]))
        case .utf16LittleEndian:
            return Self.text(bytes, isLittleEndian: true)
        case .utf16BigEndian:
            return Self.text(bytes, isLittleEndian: false)
        }
    }

    private static func scalars(
        _ bytes: [UInt8],
        _ scalar: (UInt8) -> Unicode.Scalar
    ) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(scalar(byte)) }
        return String(text)
    }

    private static func text(_ bytes: [UInt8], isLittleEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
        }
        let start = units.first == 0xFEFF ? 1 : 0
        let text = String(decoding: units[start...], as: UTF16.self)
        return bytes.count % 2 == 0 ? text : text + "\u{FFFD}"
    }
}
