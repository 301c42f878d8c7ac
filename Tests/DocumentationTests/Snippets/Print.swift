/// What the examples print with, so that tests see it.
typealias Print = @Sendable (Any) -> Void
