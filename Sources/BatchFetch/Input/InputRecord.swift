/// A line, or a row, of a list before it is known what it asks for.
struct InputRecord: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        /// A line of text.
        case line(InputLine.Content)
        /// A row's fields.
        case row([String])
        /// A row that isn't one, and why.
        case damaged(String)
    }

    /// The number of the line in which it begins, from 1.
    let line: Int
    let content: Content
}
