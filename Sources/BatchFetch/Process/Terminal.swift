import Curl

/// The standard error output, on which progress is shown.
package struct Terminal: Sendable {
    private let file = Output()

    package init() {}

    /// Whether somebody looks at it.
    package var isTerminal: Bool { file.descriptor.isTerminal }

    /// How many characters fit in a line.
    package var columns: Int { file.descriptor.terminalColumns ?? 80 }

    /// Writes text; errors are nobody's business: there is nowhere left to tell them.
    package func write(_ text: String) {
        try? file.descriptor.write(Array(text.utf8))
    }

    private final class Output: Sendable {
        let descriptor = FileDescriptor.standardError
    }
}
