/// Builds a line that is no longer than the terminal is wide.
struct TerminalLine: Sendable {
    /// The style of a part if colours are on (ECMA-48, 8.3.117).
    enum Style: String, Sendable {
        case plain = ""
        case strong = "1"
        case faint = "2"
        case good = "32"
        case bad = "1;31"
        case accent = "36"
    }

    private let columns: Int
    private let hasColor: Bool
    private var width = 0
    private(set) var text = ""

    init(columns: Int, hasColor: Bool) {
        self.columns = columns
        self.hasColor = hasColor
    }

    var free: Int { max(0, columns - width) }

    /// Appends a part, cut to the free width.
    ///
    /// Characters other than ASCII and those of bars have an unknown width and are shown as
    /// question marks.
    mutating func append(_ part: String, _ style: Style = .plain) {
        let shown = part.prefix(free)
        guard !shown.isEmpty else { return }
        width += shown.count
        let safe = String(shown.map { Self.isSafe($0) ? $0 : "?" })
        text += hasColor && style != .plain ? "\u{1B}[\(style.rawValue)m\(safe)\u{1B}[0m" : safe
    }

    /// Appends a part if all of it fits; returns whether it did.
    @discardableResult
    mutating func appendWhole(_ part: String, _ style: Style = .plain) -> Bool {
        guard part.count <= free else { return false }
        append(part, style)
        return true
    }

    /// Appends a progress bar.
    ///
    /// - Parameters:
    ///   - share: The done part, from 0 to 1.
    ///   - length: The number of columns.
    ///   - isUnicode: Whether the terminal shows more than ASCII.
    mutating func appendBar(_ share: Double, length: Int, isUnicode: Bool) {
        let filled = Int((share * Double(length)).rounded(.down))
        let (full, end, rest) = isUnicode ? ("━", "╸", "─") : ("#", ">", "-")
        append(String(repeating: full, count: filled), .accent)
        if filled < length {
            append(end, .accent)
            append(String(repeating: rest, count: length - filled - 1), .faint)
        }
    }

    private static let drawn: Set<Character> = ["━", "╸", "─", "·", "µ", "…"]

    private static func isSafe(_ character: Character) -> Bool {
        if let ascii = character.asciiValue { return (0x20...0x7E).contains(ascii) }
        return drawn.contains(character)
    }
}
