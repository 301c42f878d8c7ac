internal import Curl
public import HTTPTypes

/// The head of a response: its status line and its fields, as they came.
///
/// Nothing but the status code is read until it is asked for: see ``headerFields``.
public struct ResponseHead: Sendable, Hashable {
    /// Status line, field lines and the blank line, each with its line end, as libcurl gave them.
    ///
    /// For HTTP/2 and HTTP/3, libcurl puts them in the form of HTTP/1.1.
    public private(set) var bytes: [UInt8]

    /// The status code, from 100 to 999.
    public let statusCode: Int

    /// What `HTTPFields` can hold without a trap, with a margin.
    static let fieldCountLimit = 65_000

    /// What the fields say about the body.
    let framing: ResponseFraming

    /// For bytes that begin with a status line of that code.
    init(bytes: [UInt8], statusCode: Int, framing: ResponseFraming) {
        self.bytes = bytes
        self.statusCode = statusCode
        self.framing = framing
    }

    /// The same head in `memory`, which is empty and becomes its own.
    func copied(into memory: consuming [UInt8]) -> ResponseHead {
        memory.append(contentsOf: bytes)
        return ResponseHead(bytes: memory, statusCode: statusCode, framing: framing)
    }

    /// Takes the bytes' memory away, and gives the head a copy in new memory.
    mutating func moveOut() -> [UInt8] {
        var own = [UInt8](copying: bytes.span)
        swap(&own, &bytes)
        return own
    }
}

extension ResponseHead {
    /// The status code, with the reason phrase if the server sent one.
    public var status: HTTPResponse.Status {
        HTTPResponse.Status(code: min(max(statusCode, 0), 999), reasonPhrase: reasonPhrase)
    }

    /// The protocol version of the status line: `1.0`, `1.1`, `2` or `3`.
    public var httpVersion: String {
        String(decoding: bytes.dropFirst(5).prefix { $0 != ASCII.space }, as: UTF8.self)
    }

    /// All fields in the order they came.
    ///
    /// Parsed anew on each access: keep the value if it is needed more than once, and use
    /// ``firstValue(of:)`` for one field. Bytes that aren't UTF-8 are kept, see `HTTPField`.
    public var headerFields: HTTPFields { FieldLines(bytes).fields }

    /// Status and fields in the currency type. Parsed anew on each access.
    public var httpResponse: HTTPResponse {
        HTTPResponse(status: status, headerFields: headerFields)
    }

    /// The value of the first field of that name, found without parsing the others; nil without
    /// such a field. Bytes that aren't UTF-8 are repaired.
    public func firstValue(of name: HTTPField.Name) -> String? {
        firstValueBytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of the first field of that name as bytes, without the white space around it.
    public func firstValueBytes(of name: HTTPField.Name) -> [UInt8]? {
        FieldLines(bytes).firstValue(ofCanonicalName: name.canonicalName).map { Array($0) }
    }

    /// The values of the first fields of these names, in the names' order, found in one walk; nil where
    /// there is none. Bytes that aren't UTF-8 are repaired.
    package func firstValues(of names: FieldNameSet) -> [String?] {
        var values = [String?](repeating: nil, count: names.count)
        FieldLines(bytes).forEach(of: names) { place, value in
            guard values[place] == nil else { return false }
            values[place] = String(decoding: value, as: UTF8.self)
            return true
        }
        return values
    }

    /// The length that the Content-Length field announces; nil without one, or where it is no
    /// plain number.
    public var contentLength: Int64? { framing.announcedLength }

    private var reasonPhrase: String {
        // The line was checked: `HTTP/`, a version, a space, three digits, and perhaps a phrase.
        let end = bytes.firstIndex(where: \.isLineEnd) ?? bytes.endIndex
        guard let space = bytes.firstIndex(of: ASCII.space), space + 5 < end else { return "" }
        let phrase = bytes[(space + 5)..<end]
        if phrase.allSatisfy({ $0 < 0x80 }) { return String(decoding: phrase, as: UTF8.self) }
        // ISO Latin 1, as the currency type has it.
        var text = ""
        text.unicodeScalars.append(contentsOf: phrase.map { Unicode.Scalar($0) })
        return text
    }
}
