/// One line of a list that is neither blank nor a comment.
package struct InputLine: Sendable, Hashable {
    /// What a line holds.
    package enum Content: Sendable, Hashable {
        /// The line without the white space around it.
        case text(String)
        /// The beginning of a line that is longer than allowed.
        case tooLong(beginning: String)
        /// A line that isn't UTF-8, with what can't be read replaced by U+FFFD.
        case notUTF8(repaired: String)
        /// A URL with more than a line of text can say.
        case request(BatchRequest)
        /// A line that isn't as its format wants it: its beginning, and why not.
        case malformed(beginning: String, BatchFailure)
    }

    /// The line's number in its list, from 1, blank lines and comments counted.
    package let number: Int
    package let content: Content
    /// The list, where there are several.
    package var source: String?
}
