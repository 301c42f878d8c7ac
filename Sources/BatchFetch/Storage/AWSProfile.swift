/// Reads the files of the AWS command line, `~/.aws/credentials` and `~/.aws/config`.
///
/// Source: <https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html>.
enum AWSProfile {
    /// The settings of each section by the section's name. A setting of a nested section has the
    /// key `s3.addressing_style`.
    static func sections(_ text: String) -> [String: [String: String]] {
        var sections: [String: [String: String]] = [:]
        var section: String?
        // The setting without a value that indented lines belong to.
        var parent: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let content = line.trimmed
            guard let first = content.first, first != "#", first != ";" else { continue }
            if first == "[" {
                section = content.last == "]" ? name(content.dropFirst().dropLast()) : nil
                parent = nil
                if let section { sections[section] = sections[section] ?? [:] }
                continue
            }
            guard let section, let equals = content.firstIndex(of: "=") else { continue }
            let key = content[..<equals].trimmed.lowercased()
            let value = String(content[content.index(after: equals)...].trimmed)
            let isNested = line.first == " " || line.first == "\t"
            if isNested {
                guard let parent else { continue }
                sections[section]?["\(parent).\(key)"] = value
            } else {
                parent = value.isEmpty ? key : nil
                sections[section]?[key] = value
            }
        }
        return sections
    }

    /// A section's name with one space between its words, and without quotation marks.
    private static func name(_ text: Substring) -> String {
        let words = text.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
        return words.map { word in
            let word = word.trimmed
            let isQuoted =
                word.count >= 2 && word.first == word.last
                && (word.first == "\"" || word.first == "'")
            return String(isQuoted ? word.dropFirst().dropLast() : word)
        }.joined(separator: " ")
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
