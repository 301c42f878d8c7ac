import Curl
import Synchronization

/// The standard error output, on which progress is shown.
package struct Terminal: Sendable {
    /// What stands on the screen, and will be drawn anew: there is one, whoever writes to it.
    private static let block = Mutex<[String]>([])

    private let file = Output()

    package init() {}

    /// Whether somebody looks at it.
    package var isTerminal: Bool { file.descriptor.isTerminal }

    /// Whether it is a terminal whose cursor can be moved.
    package var isInteractive: Bool {
        isTerminal && ProcessEnvironment.value(of: "TERM") != "dumb"
    }

    /// Whether the environment wants no colours (<https://no-color.org>).
    package static var isColorUnwanted: Bool {
        ProcessEnvironment.value(of: "NO_COLOR").map { !$0.isEmpty } ?? false
    }

    /// Whether the environment says that texts are UTF-8.
    package static var isUnicode: Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = ProcessEnvironment.value(of: name), !value.isEmpty else { continue }
            let ending = value.lowercased()
            return ending.hasSuffix("utf-8") || ending.hasSuffix("utf8")
        }
        return false
    }

    /// How many characters fit in a line.
    package var columns: Int { file.descriptor.terminalColumns ?? 80 }

    /// Writes whole lines of text, above what ``show(_:)`` shows; what a terminal would obey in them
    /// is made harmless. Errors are nobody's business: there is nowhere left to tell them.
    package func write(_ text: String) {
        Self.block.withLock { block in
            put(Self.erasure(of: block) + Printable.text(text) + Self.text(of: block))
        }
    }

    /// Shows lines at the end of a terminal in place of those that were shown before.
    package func show(_ lines: [String]) {
        Self.block.withLock { block in
            guard !(lines.isEmpty && block.isEmpty) else { return }
            put(Self.erasure(of: block) + Self.text(of: lines))
            block = lines
        }
    }

    private func put(_ text: String) {
        try? file.descriptor.write(Array(text.utf8))
    }

    /// Moves the cursor to the first of the lines, and clears from there (ECMA-48, CUU and ED).
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
