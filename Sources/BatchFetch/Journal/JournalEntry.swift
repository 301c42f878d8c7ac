/// What a journal is told at a time: which URLs are done with.
struct JournalEntry: Sendable, Hashable {
    /// The ordinals of the URLs, in any order.
    var ordinals: [Int]
    /// How many of them failed.
    var failed: Int
    /// The bytes of the results that hold their lines, and all earlier ones.
    var resultsLength: Int64
}
