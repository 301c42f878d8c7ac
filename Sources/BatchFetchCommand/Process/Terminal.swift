import Posix
import Synchronization

/// The standard error output, which shows the progress.
struct Terminal: Sendable {
    /// The lines that are on the screen and will be redrawn; shared by all instances.
    private static let block = Mutex<[String]>([])

    private let file = Output()

    init() {}

    /// Whether the standard error output is a terminal.
    var isTerminal: Bool { file.descriptor.isTerminal }

    /// Whether it is a terminal with a movable cursor.
    var isInteractive: Bool {
        isTerminal && ProcessEnvironment.value(of: "TERM") != "dumb"
    }

    /// Whether the environment disables colours (<https://no-color.org>).
    static var isColorUnwanted: Bool {
        ProcessEnvironment.value(of: "NO_COLOR").map { !$0.isEmpty } ?? false
    }

    /// Whether the environment's locale uses UTF-8.
    static var isUnicode: Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = ProcessEnvironment.value(of: name), !value.isEmpty else { continue }
            let ending = value.lowercased()
            return ending.hasSuffix("utf-8") || ending.hasSuffix("utf8")
        }
        return false
    }

    /// The width of a line in characters; 80 if it is unknown.
    var columns: Int { file.descriptor.terminalColumns ?? 80 }

    /// Writes complete lines above the lines of ``show(_:)``.
    ///
    /// Control characters are replaced. Errors are ignored, because there is no other place to
    /// report them.
    func write(_ text: String) {
        Self.block.withLock { block in
            put(Self.erasure(of: block) + TerminalEscaping.text(text) + Self.text(of: block))
        }
    }

    /// Replaces the lines at the bottom of the terminal.
    ///
    /// Lines that it has no room for are left out.
    func show(_ lines: [String]) {
        let lines = Self.lines(lines, fitting: file.descriptor.terminalRows)
        Self.block.withLock { block in
            guard !(lines.isEmpty && block.isEmpty) else { return }
            put(Self.erasure(of: block) + Self.text(of: lines))
            block = lines
        }
    }

    /// The first of the lines, as many as a terminal can show above the line of the cursor.
    ///
    /// The cursor can't move to lines that have left the screen, so they couldn't be replaced.
    ///
    /// - Parameter rows: The number of lines of the terminal; nil if it is unknown.
    static func lines(_ lines: [String], fitting rows: Int?) -> [String] {
        rows.map { Array(lines.prefix(max(1, $0 - 1))) } ?? lines
    }

    private func put(_ text: String) {
        try? file.descriptor.write(Array(text.utf8))
    }

    /// Moves to the first line and clears below (ECMA-48, CUU and ED).
    private static func erasure(of block: [String]) -> String {
        block.isEmpty ? "" : "\u{1B}[\(block.count)A\r\u{1B}[J"
    }

    private static func text(of block: [String]) -> String {
        block.map { "\($0)\n" }.joined()
    }

    private final class Output: Sendable {
        let descriptor = FileDescriptor.standardError
    }
}

/// Makes text safe for terminals.
enum TerminalEscaping {
    /// Replaces characters that a terminal would interpret by U+FFFD.
    ///
    /// These are control characters, except line feeds and tabs, and those that change the
    /// direction of writing.
    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isActive($0) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isActive(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(result)
    }

    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\t": false
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{200E}"..."\u{200F}",
            "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
            true
        default: false
        }
    }
}
