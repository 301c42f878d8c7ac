internal import CurlTransport

/// A response's header fields in the order in which they came, a repeated one as often as it came.
struct ResponseHeaderFields: Sendable {
    private enum Source {
        case lines([HeaderLine])
        /// As it came over the network: most programs look at a field or two.
        case head(ResponseHead)
    }

    private let source: Source

    /// Names and values. Those of a head are made anew each time.
    var lines: [HeaderLine] {
        switch source {
        case .lines(let lines): lines
        case .head(let head):
            head.fieldLines.map { HeaderLine(name: $0.name, value: $0.value) }
        }
    }

    /// The version of HTTP that they came in, such as `HTTP/1.1`, where they came over the network.
    var httpVersion: String? {
        if case .head(let head) = source { "HTTP/\(head.httpVersion)" } else { nil }
    }

    /// Fields as a server sent them.
    init(_ head: ResponseHead) {
        source = .head(head)
    }

    /// Fields as a server sent them. One without a name is left out.
    init(_ lines: [HeaderLine] = []) {
        source = .lines(lines.filter { !$0.name.isEmpty })
    }

    /// Fields of a dictionary, whose order is the names'.
    init(_ fields: [String: String]) {
        self.init(
            fields.sorted { $0.key < $1.key }.map { HeaderLine(name: $0.key, value: $0.value) }
        )
    }

    /// The values of all fields of that name, in order. What may contain a comma, as `Set-Cookie`
    /// does, is told apart here alone.
    func values(_ name: String) -> [String] {
        switch source {
        case .lines(let lines):
            lines.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
        case .head(let head):
            head.values(of: name)
        }
    }

    /// The value of a field; that of a repeated one is its values with `, ` between them (RFC 9110,
    /// 5.3).
    subscript(name: String) -> String? {
        let values = values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The fields by their names, spelled as Foundation does; repeated ones as one.
    var dictionary: [String: String] {
        var fields: [String: String] = [:]
        var spelled: [String: String] = [:]
        for line in lines {
            // However often a field is repeated, it is spelled as it was first.
            let name = spelled[line.name.lowercased(), default: Self.spelling(of: line.name)]
            spelled[line.name.lowercased()] = name
            fields[name] = fields[name].map { $0 + ", " + line.value } ?? line.value
        }
        return fields
    }

    /// Words are capitalized, but for `WWW-Authenticate`, and names that begin with `X-` stay as they
    /// are.
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
