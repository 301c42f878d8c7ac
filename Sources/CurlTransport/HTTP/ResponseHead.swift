internal import HTTPSemantics
public import HTTPTypes
internal import Posix

/// The head of a response: the status line and the fields, unparsed.
///
/// Only the status code is parsed at once, the rest on demand: see ``headerFields``.
public struct ResponseHead: Sendable, Hashable {
    /// The status line, field lines and the blank line, as libcurl delivers them.
    ///
    /// They include their line ends. For HTTP/2 and HTTP/3, libcurl converts them to the form of
    /// HTTP/1.1.
    public private(set) var bytes: [UInt8]

    /// The status code, from 100 to 999.
    public let statusCode: Int

    /// The number of fields that `HTTPFields` can hold without a trap, with a margin.
    static let fieldCountLimit = 65_000

    /// The facts about the body in the fields.
    let framing: ResponseFraming

    /// Creates a head from bytes that begin with a status line of that code.
    init(bytes: [UInt8], statusCode: Int, framing: ResponseFraming) {
        self.bytes = bytes
        self.statusCode = statusCode
        self.framing = framing
    }

    /// A copy of this head in `memory`, which must be empty.
    package func copied(into memory: consuming [UInt8]) -> ResponseHead {
        memory.append(contentsOf: bytes)
        return ResponseHead(bytes: memory, statusCode: statusCode, framing: framing)
    }

    /// Returns the bytes' memory, and replaces it by a copy.
    package mutating func moveOut() -> [UInt8] {
        var own = [UInt8](copying: bytes.span)
        swap(&own, &bytes)
        return own
    }
}

extension ResponseHead {
    /// The status code, with the server's reason phrase if there is one.
    public var status: HTTPResponse.Status {
        HTTPResponse.Status(code: min(max(statusCode, 0), 999), reasonPhrase: reasonPhrase)
    }

    /// The protocol version of the status line: `1.0`, `1.1`, `2` or `3`.
    public var httpVersion: String {
        String(decoding: bytes.dropFirst(5).prefix { $0 != ASCII.space }, as: UTF8.self)
    }

    /// All fields in their order.
    ///
    /// Each access parses them: store the value if you need it repeatedly, and use
    /// ``firstValue(of:)`` for one field. Bytes that aren't UTF-8 are preserved, see `HTTPField`.
    public var headerFields: HTTPFields { FieldLines(bytes).fields }

    /// Status and fields as the `HTTPTypes` type. Each access parses them.
    public var httpResponse: HTTPResponse {
        HTTPResponse(status: status, headerFields: headerFields)
    }

    /// The value of the first field with this name; nil if there is none.
    ///
    /// Other fields aren't parsed. Bytes that aren't UTF-8 are replaced.
    public func firstValue(of name: HTTPField.Name) -> String? {
        firstValueBytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of the first field's value, without surrounding white space; nil if there is none.
    public func firstValueBytes(of name: HTTPField.Name) -> [UInt8]? {
        FieldLines(bytes).firstValue(ofCanonicalName: name.canonicalName).map { Array($0) }
    }

    /// The values of the first fields with these names, in their order.
    ///
    /// They are found in one pass. Nil for missing fields. Bytes that aren't UTF-8 are replaced.
    package func firstValues(of names: FieldNameSet) -> [String?] {
        var values = [String?](repeating: nil, count: names.count)
        FieldLines(bytes).forEach(of: names) { place, value in
            guard values[place] == nil else { return false }
            values[place] = String(decoding: value, as: UTF8.self)
            return true
        }
        return values
    }

    /// The length in the Content-Length field; nil if there is none, or if it isn't a plain number.
    public var contentLength: Int64? { framing.announcedLength }

    private var reasonPhrase: String {
        // The parser has checked the line: `HTTP/`, version, space, three digits, optional phrase.
        let end = bytes.firstIndex(where: \.isLineEnd) ?? bytes.endIndex
        guard let space = bytes.firstIndex(of: ASCII.space), space + 5 < end else { return "" }
        let phrase = bytes[(space + 5)..<end]
        if phrase.allSatisfy({ $0 < 0x80 }) { return String(decoding: phrase, as: UTF8.self) }
        // ISO Latin 1, as `HTTPResponse.Status` requires.
        var text = ""
        text.unicodeScalars.append(contentsOf: phrase.map { Unicode.Scalar($0) })
        return text
    }
}

// Properties of a head that the loop uses.

extension ResponseHead {
    /// Whether the connection can multiplex several transfers.
    var isMultiplexed: Bool {
        // The first digit of the version: `HTTP/2 200`, or `HTTP/1.1 200`.
        bytes.count > 5 && bytes[5] >= UInt8(ascii: "2")
    }

    var isHTTP3: Bool { bytes.count > 5 && bytes[5] == UInt8(ascii: "3") }

    /// Whether a response with this status can have a body (RFC 9110, section 6.4.1).
    package var mayHaveBody: Bool {
        statusCode >= 200 && statusCode != 204 && statusCode != 304
    }
}
