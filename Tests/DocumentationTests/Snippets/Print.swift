/// How the examples print, so that tests see the output.
struct Print: Sendable {
    let line: @Sendable (String) -> Void

    /// Prints values separated by spaces, as Swift's function does.
    func callAsFunction(_ values: Any...) {
        line(values.map { "\($0)" }.joined(separator: " "))
    }
}
