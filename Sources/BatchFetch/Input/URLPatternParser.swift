internal import HTTPSemantics

/// Parses the text of a ``URLPattern``.
struct URLPatternParser {
    private let text: String
    private var rest: Substring
    private var plain = ""
    private var parts: [URLPattern.Part] = []

    init(_ text: String) {
        self.text = text
        rest = text[...]
    }

    mutating func parse() throws(BatchFailure) -> [URLPattern.Part] {
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                if let next = rest.first, "{}[]\\".contains(next) {
                    plain.append(next)
                    rest.removeFirst()
                } else {
                    plain.append(character)
                }
            case "{":
                try takeBraces()
            case "[":
                try takeBrackets()
            default:
                plain.append(character)
            }
        }
        endPlain()
        return parts
    }

    private mutating func endPlain() {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
    }

    private mutating func takeBraces() throws(BatchFailure) {
        guard let end = rest.firstIndex(of: "}") else {
            throw problem("has a { without a }: close it, or write \\{")
        }
        let content = rest[..<end]
        rest = rest[rest.index(after: end)...]
        guard !content.contains("{") else {
            throw problem("has nested braces, which aren't supported: write all words in one pair")
        }
        let part: URLPattern.Part
        if content.contains(",") {
            let texts = content.split(separator: ",", omittingEmptySubsequences: false)
            part = .choice(texts.map(String.init))
        } else if let range = Self.range(words(content)) {
            part = range
        } else if Self.hasLargeNumber(words(content)) {
            throw tooLarge("{\(shown(content))}")
        } else {
            throw problem(
                "has {\(shown(content))}, which is not a range: write {1..9} or {a,b}, or "
                    + "\\{ for a brace"
            )
        }
        endPlain()
        parts.append(part)
    }

    /// Splits a range at `..`.
    private func words(_ content: Substring) -> [Substring] {
        content.split(separator: "..", omittingEmptySubsequences: false)
    }

    private mutating func takeBrackets() throws(BatchFailure) {
        guard let end = rest.firstIndex(of: "]") else {
            plain.append("[")
            return
        }
        let content = rest[..<end]
        let halves = content.split(separator: ":", omittingEmptySubsequences: false)
        let words = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count <= 2, words.count == 2,
            words.allSatisfy({ Self.isNumber($0) || Self.letter($0) != nil })
        else {
            // For instance an IPv6 address.
            plain.append("[")
            return
        }
        guard let range = Self.range(words + halves.dropFirst()) else {
            if Self.hasLargeNumber(words + halves.dropFirst()) {
                throw tooLarge("[\(shown(content))]")
            }
            throw problem(
                "has [\(shown(content))], which is not a range: write [1-9], [1-9:2] or [a-z], or "
                    + "\\[ for a bracket"
            )
        }
        rest = rest[rest.index(after: end)...]
        endPlain()
        parts.append(range)
    }

    /// Makes a range of its first value, last value, and optional step.
    private static func range(_ words: [Substring]) -> URLPattern.Part? {
        guard words.count == 2 || words.count == 3 else { return nil }
        let step = words.count == 3 ? number(words[2]) : 1
        guard let step, step > 0 else { return nil }
        if let first = number(words[0]), let last = number(words[1]) {
            let span = first <= last ? last - first : first - last
            let isPadded = [words[0], words[1]].contains { $0.utf8.count > 1 && $0.first == "0" }
            return .numbers(
                first: first,
                step: step,
                // The count of a full 64-bit range would overflow. The pattern's limit is far below.
                count: span / step == .max ? .max : span / step + 1,
                isRising: first <= last,
                width: isPadded ? max(words[0].utf8.count, words[1].utf8.count) : 0
            )
        }
        guard let first = letter(words[0]), let last = letter(words[1]), step < 26,
            (first ^ last) & 0x20 == 0
        else { return nil }
        let span = first <= last ? last - first : first - last
        return .letters(
            first: first,
            step: UInt8(step),
            count: UInt64(span) / step + 1,
            isRising: first <= last
        )
    }

    private static func isNumber(_ word: Substring) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Returns a decimal number; `nil` for anything else, and above 2⁶⁴ - 1.
    private static func number(_ word: Substring) -> UInt64? {
        isNumber(word) ? UInt64(word) : nil
    }

    /// Whether this is a range of numbers of which one is above 2⁶⁴ - 1.
    private static func hasLargeNumber(_ words: [Substring]) -> Bool {
        (2...3).contains(words.count) && words.allSatisfy(isNumber)
            && words.contains { number($0) == nil }
    }

    /// Returns an ASCII letter. Both ends of a range must have the same case, because `Z` … `a`
    /// includes other characters.
    private static func letter(_ word: Substring) -> UInt8? {
        guard word.utf8.count == 1, let byte = word.utf8.first,
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        else { return nil }
        return byte
    }

    /// The beginning of a part of the text, unless it may be a secret.
    private func shown(_ part: Substring) -> String {
        guard visible.contains(part) else { return "…" }
        return part.count > 40 ? "\(part.prefix(40))…" : String(part)
    }

    /// The text without what may be a secret. With a user name it may be any text up to the `@`.
    private var visible: String {
        text.utf8.contains(UInt8(ascii: "@")) ? URLText.ofMalformed(text) : URLText.forLog(text)
    }

    private func tooLarge(_ range: String) -> BatchFailure {
        problem("has \(range), whose numbers are too large: the largest is \(UInt64.max)")
    }

    /// The error of a pattern that stands for more URLs than ``URLPattern/maximumCount``.
    func tooMany() -> BatchFailure {
        let limit = NumberFormat.grouped(Int(URLPattern.maximumCount))
        return problem("stands for more than \(limit) URLs, the limit: use smaller ranges")
    }

    private func problem(_ reason: String) -> BatchFailure {
        BatchFailure(.invalidLine, "“\(visible.prefix(200))” \(reason)")
    }
}
