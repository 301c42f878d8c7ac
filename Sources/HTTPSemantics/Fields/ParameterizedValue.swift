/// A field value with parameters, as in `text/html; charset=utf-8` (RFC 9110, 5.6.6).
package struct ParameterizedValue: Sendable, Hashable {
    /// The text before the first semicolon.
    package let value: String
    /// In the order of the text, with lowercase names and unquoted values.
    package let parameters: [HeaderLine]

    /// Parses leniently. A parameter without a name or `=` is skipped. An unterminated quoted
    /// string extends to the end.
    package init(_ text: some StringProtocol) {
        var scanner = FieldScanner(text.utf8)
        value = scanner.text(upTo: ";").trimmingFieldWhitespace
        var found: [HeaderLine] = []
        while scanner.skip(";") {
            let name = scanner.text(upTo: "=", or: ";").trimmingFieldWhitespace
            guard scanner.skip("=") else { continue }
            scanner.skipWhitespace()
            let value = scanner.quotedString() ?? scanner.text(upTo: ";").trimmingFieldWhitespace
            // Text after a closing quote is ignored.
            _ = scanner.text(upTo: ";")
            if !name.isEmpty { found.append(HeaderLine(name: name.lowercased(), value: value)) }
        }
        parameters = found
    }

    /// The value of the first parameter with this name, which must be lowercase.
    package subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter }?.value
    }

    /// The nonempty members of a list (RFC 9110, 5.6.1).
    ///
    /// Commas outside of quoted strings separate them.
    package static func list(_ text: String) -> [ParameterizedValue] {
        var scanner = FieldScanner(text.utf8)
        var members: [ParameterizedValue] = []
        repeat {
            let member = scanner.listMember().trimmingFieldWhitespace
            if !member.isEmpty { members.append(ParameterizedValue(member)) }
        } while scanner.skip(",")
        return members
    }
}

/// A header field: its name as written, and its value.
package struct HeaderLine: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
