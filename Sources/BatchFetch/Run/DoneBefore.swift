/// What was done with before a run, and needs no fetching any more.
struct DoneBefore: Sendable {
    /// The ordinals that a journal knows of.
    var journal: OrdinalSet?
    var results: EarlierResults?

    var isNothing: Bool { journal?.isEmpty != false && results == nil }
}
