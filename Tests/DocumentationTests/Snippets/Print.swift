/// How the examples print, so that tests see the output.
typealias Print = @Sendable (Any) -> Void
