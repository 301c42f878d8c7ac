import Curl

/// What a journal says at a moment. Nothing is changed by looking, and another run may go on with it
/// meanwhile.
public struct JournalSnapshot: Sendable {
    /// How many URLs are done with.
    public let doneCount: Int
    /// How many of those failed.
    public let failedCount: Int
    /// What is damaged in it and is made up for, in words; nil if nothing is.
    public let damage: String?
    /// The ordinals of what is done with.
    let done: OrdinalSet
    let resultsPath: String

    /// Reads a journal; one that isn't there says that nothing is done with. Blocks.
    ///
    /// - Parameters:
    ///   - path: The journal's file.
    ///   - lists: The lists of URLs, as they were given to ``BatchJournal``.
    ///   - options: How they are read.
    ///   - results: The file of the results.
    ///   - output: The folder of the bodies, if they are kept.
    /// - Throws: ``BatchFailure`` as ``BatchJournal`` does, but for one that is in use.
    public init(
        path: String,
        lists: [String],
        options: BatchInput.Options = BatchInput.Options(),
        results: String,
        output: String? = nil
    ) throws(BatchFailure) {
        let reading = try JournalReading(path, lists, options, results, output)
        done = reading.done
        resultsPath = results
        doneCount = reading.done.count
        failedCount = reading.failed
        damage = reading.damage
    }
}
