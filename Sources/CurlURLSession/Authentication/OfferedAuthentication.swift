/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, 11.6).
struct OfferedAuthentication: Sendable, Hashable {
    /// The scheme's name as it was sent.
    let scheme: String
    /// In order; names in small letters, values without quotes.
    let parameters: [HeaderLine]

    /// The value of the first parameter of that name, which is given in small letters.
    subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter }?.value
    }

    /// Whether a request can answer it by a field alone, without the engine's help.
    var isAnsweredByField: Bool { AuthenticationScheme(name: scheme) == .basic }

    /// Reads the challenges of all fields of that name, in order.
    ///
    /// A field may hold several, parted by commas as their parameters are: a word that `=` doesn't
    /// follow begins the next one. What can't be read is passed over.
    static func list(_ values: [String]) -> [OfferedAuthentication] {
        values.flatMap { value in
            var reader = Reader(value)
            return reader.challenges()
        }
    }

    /// Reads one field's value.
    private struct Reader {
        private var scanner: FieldScanner
        private var found: [OfferedAuthentication] = []
        private var scheme: String?
        private var parameters: [HeaderLine] = []

        init(_ text: String) {
            scanner = FieldScanner(text.utf8)
        }

        mutating func challenges() -> [OfferedAuthentication] {
            repeat { readMember() } while scanner.skip(",")
            close()
            return found
        }

        /// What stands between two commas: a scheme, a parameter, or a scheme with its first parameter.
        private mutating func readMember() {
            var member = FieldScanner(scanner.listMember().trimmingFieldWhitespace.utf8)
            let word = member.text(upTo: "=", or: " ")
            guard !word.isEmpty else { return }
            member.skipWhitespace()
            if member.skip("=") {
                return add(word, &member)
            }
            close()
            scheme = word
            let name = member.text(upTo: "=").trimmingFieldWhitespace
            // A token alone, such as a round of Negotiate has, is no parameter.
            guard !name.isEmpty, member.skip("=") else { return }
            add(name, &member)
        }

        private mutating func add(_ name: String, _ member: inout FieldScanner) {
            guard scheme != nil else { return }
            member.skipWhitespace()
            let value = member.quotedString() ?? member.text(upTo: " ")
            parameters.append(HeaderLine(name: name.lowercased(), value: value))
        }

        private mutating func close() {
            if let scheme {
                found.append(OfferedAuthentication(scheme: scheme, parameters: parameters))
            }
            (scheme, parameters) = (nil, [])
        }
    }
}
