/// A response's header fields in the order in which they came, a repeated one as often as it came.
struct ResponseHeaderFields: Sendable, Hashable {
    let lines: [HeaderLine]

    /// Fields as a server sent them. One without a name is left out.
    init(_ lines: [HeaderLine] = []) {
        self.lines = lines.filter { !$0.name.isEmpty }
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
        lines.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
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
