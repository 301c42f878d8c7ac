/// A `Set-Cookie` field (RFC 6265bis, 5.6), without regard to who sent it.
package struct SetCookieField: Sendable {
    /// The most bytes of a name and value together.
    package static let maximumPair = 4_096
    /// The most bytes of an attribute's value.
    package static let maximumAttribute = 1_024

    /// Empty if the server sent only a value.
    package let name: String
    package let value: String
    /// The values of attributes by their names in lower case. The last attribute of a name counts.
    ///
    /// An attribute without a value has an empty one. Attributes that are too long are left out,
    /// and comments without a value, which say nothing.
    package private(set) var attributes: [String: String] = [:]

    /// Parses a field; `nil` if it sets no cookie.
    package init?(_ text: String) {
        guard !text.hasControlCharacter else { return nil }
        var scanner = FieldScanner(text.utf8)
        let pair = Self.split(scanner.text(upTo: ";"))
        name = pair.value == nil ? "" : pair.name
        value = pair.value ?? pair.name
        guard name.utf8.count + value.utf8.count <= Self.maximumPair else { return nil }
        while scanner.skip(";") {
            let (name, value) = Self.split(scanner.text(upTo: ";"))
            let key = name.lowercased()
            if value == nil, key == "comment" { continue }
            if (value ?? "").utf8.count <= Self.maximumAttribute { attributes[key] = value ?? "" }
        }
    }

    private static func split(_ text: String) -> (name: String, value: String?) {
        var scanner = FieldScanner(text.utf8)
        let name = scanner.text(upTo: "=").trimmingFieldWhitespace
        guard scanner.skip("=") else { return (name, nil) }
        return (name, scanner.text(upTo: "\0").trimmingFieldWhitespace)
    }
}
