/// A field value with parameters, as in `text/html; charset=utf-8` (RFC 9110, 5.6.6).
struct ParameterizedValue: Sendable, Hashable {
    /// What stands before the first semicolon.
    let value: String
    /// In order; names in small letters, values without quotes.
    let parameters: [HeaderLine]

    /// Reads what can be read: a parameter without a name or without `=` is passed over, and a quoted
    /// string that doesn't end reaches to the end.
    init(_ text: some StringProtocol) {
        var scanner = FieldScanner(text.utf8)
        value = scanner.text(upTo: ";").trimmingFieldWhitespace
        var found: [HeaderLine] = []
        while scanner.skip(";") {
            let name = scanner.text(upTo: "=", or: ";").trimmingFieldWhitespace
            guard scanner.skip("=") else { continue }
            scanner.skipWhitespace()
            let value = scanner.quotedString() ?? scanner.text(upTo: ";").trimmingFieldWhitespace
            // What follows a closing quote means nothing.
            _ = scanner.text(upTo: ";")
            if !name.isEmpty { found.append(HeaderLine(name: name.lowercased(), value: value)) }
        }
        parameters = found
    }

    /// The value of the first parameter of that name, which is given in small letters.
    subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter }?.value
    }

    /// The members of a list, which are parted by commas outside of quoted strings. Empty ones are
    /// left out (RFC 9110, 5.6.1).
    static func list(_ text: String) -> [ParameterizedValue] {
        var scanner = FieldScanner(text.utf8)
        var members: [ParameterizedValue] = []
        repeat {
            let member = scanner.listMember().trimmingFieldWhitespace
            if !member.isEmpty { members.append(ParameterizedValue(member)) }
        } while scanner.skip(",")
        return members
    }
}
