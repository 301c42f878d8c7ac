/// The source of a manual page, in the macros of man(7).
struct RoffText: Sendable {
    private(set) var text = ""

    /// Begins a page in section 1 of the manual.
    init(command: String, version: String) {
        let title = Self.escaped(command.uppercased())
        // No date: the same version makes the same page.
        line(".TH \(title) 1 \"\" \"\(Self.escaped("\(command) \(version)"))\" \"User Commands\"")
        // Left-aligned, without hyphenation: options and URLs stay in one piece.
        line(".nh")
        line(".ad l")
    }

    private mutating func line(_ line: String) { text += line + "\n" }

    mutating func section(_ title: String) { line(".SH \"\(Self.escaped(title))\"") }

    mutating func subsection(_ title: String) { line(".SS \"\(Self.escaped(title))\"") }

    /// The line from which indexes of manual pages are made.
    mutating func summary(_ command: String, _ phrase: String) {
        line("\(Self.escaped(command)) \\- \(Self.escaped(phrase))")
    }

    mutating func paragraph(_ words: String) {
        line(".PP")
        line(Self.running(words))
    }

    /// A term and what it means. The term is source text, for instance from ``bold(_:)``.
    mutating func term(_ source: String, _ words: String) {
        line(".TP")
        line(source)
        line(Self.running(words))
    }

    /// Lines that are shown as they are.
    mutating func example(_ lines: [String]) {
        line(".PP")
        line(".RS 4")
        line(".nf")
        for each in lines { line(Self.protected(Self.escaped(each))) }
        line(".fi")
        line(".RE")
    }

    /// Lines of source text that are not filled.
    mutating func lines(_ sources: [String]) {
        line(".nf")
        for source in sources { line(source) }
        line(".fi")
    }

    mutating func blocks(_ blocks: [HelpText.Block]) {
        for block in blocks {
            switch block {
            case .paragraph(let words): paragraph(words)
            case .term(let term, let explanation): self.term(Self.bold(term), explanation)
            case .example(let lines): example(lines)
            }
        }
    }

    // MARK: Source text

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Text with its long options in bold type.
    private static func running(_ text: String) -> String {
        var source = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: /--[a-z][a-z0-9\-]*/) {
            source += escaped(String(rest[..<match.range.lowerBound])) + bold(String(match.0))
            rest = rest[match.range.upperBound...]
        }
        return protected(source + escaped(String(rest)))
    }

    /// A line that isn't taken for a macro.
    private static func protected(_ source: String) -> String {
        source.hasPrefix(".") ? "\\&" + source : source
    }

    /// Text as source text: characters that mean something to roff, or aren't ASCII, are escaped.
    static func escaped(_ text: String) -> String {
        var source = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": source += "\\(rs"
            // Other than these, typographic characters would be printed, which can't be copied.
            case "-": source += "\\-"
            case "'": source += "\\(aq"
            case "\"": source += "\\(dq"
            case "`": source += "\\(ga"
            case "^": source += "\\(ha"
            case "~": source += "\\(ti"
            // Terminals without UTF-8 have no such character.
            case "…": source += "..."
            case "\n", "\t": source += " "
            case _ where scalar.isASCII: source.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                source += "\\[u\(zeros)\(digits)]"
            }
        }
        return source
    }
}
