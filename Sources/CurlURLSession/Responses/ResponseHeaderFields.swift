internal import CurlTransport
internal import HTTPSemantics

/// A response's header fields in the order received, with repetitions.
struct ResponseHeaderFields: Sendable {
    private enum Source {
        case lines([HeaderLine])
        /// As received from the network. Converted on demand, because most programs read one or two
        /// fields.
        case head(ResponseHead)
    }

    private let source: Source

    /// Names and values. Those of a head are created on each call.
    var lines: [HeaderLine] {
        switch source {
        case .lines(let lines): lines
        case .head(let head):
            head.fieldLines.map { HeaderLine(name: $0.name, value: $0.value) }
        }
    }

    /// The HTTP version, such as `HTTP/1.1`. `nil` for fields that didn't come over the network.
    var httpVersion: String? {
        if case .head(let head) = source { "HTTP/\(head.httpVersion)" } else { nil }
    }

    /// Creates fields as a server sent them.
    init(_ head: ResponseHead) {
        source = .head(head)
    }

    /// Creates fields as a server sent them. A field without a name is left out.
    init(_ lines: [HeaderLine] = []) {
        source = .lines(lines.filter { !$0.name.isEmpty })
    }

    /// Creates fields from a dictionary, sorted by name.
    init(_ fields: [String: String]) {
        self.init(
            fields.sorted { $0.key < $1.key }.map { HeaderLine(name: $0.key, value: $0.value) }
        )
    }

    /// Returns the values of all fields with this name, in order.
    ///
    /// Only this method separates values that may contain a comma, such as those of `Set-Cookie`.
    func values(_ name: String) -> [String] {
        switch source {
        case .lines(let lines):
            lines.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
        case .head(let head):
            head.values(of: name)
        }
    }

    /// The value of a field. The values of a repeated one are joined by `, ` (RFC 9110, 5.3).
    subscript(name: String) -> String? {
        let values = values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The fields by name, spelled as Foundation spells them. Repeated fields are joined.
    var dictionary: [String: String] {
        var fields: [String: String] = [:]
        var spelled: [String: String] = [:]
        for line in lines {
            // A repeated field keeps the spelling of its first occurrence.
            let name = spelled[line.name.lowercased(), default: Self.spelling(of: line.name)]
            spelled[line.name.lowercased()] = name
            fields[name] = fields[name].map { $0 + ", " + line.value } ?? line.value
        }
        return fields
    }

    /// Capitalises the words of a name. `WWW-Authenticate` and names that begin with `X-` are
    /// exceptions.
    private static func spelling(of name: String) -> String {
        if String(name.prefix(2)).equalsIgnoringASCIICase("x-") { return name }
        let authenticate = "WWW-Authenticate"
        return name.equalsIgnoringASCIICase(authenticate) ? authenticate : name.capitalizedFieldName
    }
}

extension ResponseHeaderFields: Hashable {
    static func == (lhs: ResponseHeaderFields, rhs: ResponseHeaderFields) -> Bool {
        lhs.lines == rhs.lines
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(lines)
    }
}

/// Properties of the body, derived from the header fields.
extension ResponseHeaderFields {
    /// The media type in lower case, without parameters. `nil` if there is none.
    ///
    /// If there are several, the last one.
    var mimeType: String? {
        contentType.map { $0.value.lowercased() }
    }

    /// The `charset` parameter of the media type, in lower case.
    var textEncodingName: String? {
        contentType?["charset"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
    }

    private var contentType: ParameterizedValue? {
        self["Content-Type"].flatMap { text in
            ParameterizedValue.list(text).last { !$0.value.isEmpty }
        }
    }

    /// The length of the body in bytes; -1 if unknown.
    ///
    /// It is unknown if `Content-Length` isn't a number or has two different values (RFC 9110,
    /// 8.6), if a transfer coding replaces it (RFC 9112, 6.3), or if the content is encoded: then
    /// it counts encoded bytes, which the client doesn't get. `identity` is no coding.
    var expectedContentLength: Int64 {
        let unknown: Int64 = -1
        let codings = ["Content-Encoding", "Transfer-Encoding"].flatMap { values($0) }
            .flatMap { ParameterizedValue.list($0) }
        guard codings.allSatisfy({ $0.value.equalsIgnoringASCIICase("identity") }) else {
            return unknown
        }
        let lengths = Set(
            values("Content-Length").flatMap { $0.split(separator: ",") }
                .map { String($0).trimmingFieldWhitespace }
        )
        guard lengths.count == 1, let length = lengths.first,
            length.utf8.allSatisfy({ $0.isASCIIDigit })
        else { return unknown }
        return Int64(length) ?? unknown
    }
}
