internal import HTTPSemantics

/// Parses the text of a ``NameTemplate``.
enum NameTemplateParser {
    static func parse(_ text: String) throws(BatchFailure) -> [NameTemplate.Part] {
        guard !text.utf8.contains(0) else {
            throw BatchFailure(.configuration, "the template for names contains a NUL")
        }
        var parts: [NameTemplate.Part] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "}" || character == "{", rest.first == character {
                plain.append(character)
                rest.removeFirst()
            } else if character == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    throw problem(text, "has a { without a }: close it, or write {{")
                }
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(try field(rest[..<end], in: text))
                rest = rest[rest.index(after: end)...]
            } else if character == "}" {
                throw problem(text, "has a } without a {: write }} for a brace")
            } else {
                plain.append(character)
            }
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        return parts
    }

    private static func field(
        _ content: Substring,
        in text: String
    ) throws(BatchFailure) -> NameTemplate.Part {
        let name = content.prefix { $0.isLetter || $0.isNumber }
        guard let field = NameTemplate.Field(rawValue: String(name)) else {
            let known = NameTemplate.Field.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem(text, "has the unknown field {\(content)}: the known ones are \(known)")
        }
        let rest = content[name.endIndex...]
        if rest.isEmpty { return .field(field, range: nil, width: 0) }
        if rest.first == ":", let width = number(rest.dropFirst()), (1...20).contains(width) {
            return .field(field, range: nil, width: width)
        }
        if rest.first == "[", rest.last == "]" {
            let ends = rest.dropFirst().dropLast().split(
                separator: ":",
                omittingEmptySubsequences: false
            )
            if ends.count == 2, let start = ends[0].isEmpty ? 0 : number(ends[0]),
                let end = ends[1].isEmpty ? 1000 : number(ends[1]), start < end
            {
                return .field(field, range: start..<end, width: 0)
            }
        }
        throw problem(
            text,
            "has {\(content)}: only [from:to] or :digits may follow a field's name"
        )
    }

    /// A number without a sign, which `Int` would accept.
    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy(\.isASCIIDigit) ? Int(digits) : nil
    }

    private static func problem(_ text: String, _ reason: String) -> BatchFailure {
        BatchFailure(.configuration, "the template “\(text)” \(reason)")
    }
}
