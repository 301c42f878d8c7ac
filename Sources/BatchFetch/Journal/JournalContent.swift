/// What a journal says when it is read.
struct JournalContent: Sendable, Equatable {
    /// Which run it belongs to; nil if it was torn before it said so.
    var header: JournalHeader?
    /// The ordinals of the URLs that are done with.
    var done = OrdinalSet()
    /// How many of them failed.
    var failed = 0
    /// The bytes of the results that hold their lines.
    var resultsLength: Int64 = 0
    /// The bytes of the journal that are in one piece.
    var validLength = 0
}
