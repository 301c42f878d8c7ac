import Posix

/// The state of a journal at one moment.
///
/// Taking it changes nothing, and another run may use the journal meanwhile.
public struct JournalSnapshot: Sendable {
    /// The number of completed URLs.
    public let doneCount: Int
    /// How many of those failed.
    public let failedCount: Int
    /// Damage that a run would repair, in words. `nil` if there is none.
    public let damage: String?
    /// The ordinals of the completed URLs.
    let done: OrdinalSet
    /// The answered requests, if the list is standard input.
    let answered: AnsweredRequests?
    let resultsPath: String

    /// The results, if they are a file.
    var resultFiles: [String] { resultsPath == "-" ? [] : [resultsPath] }

    /// Reads a journal; a missing file counts as no completed URLs. Blocks.
    ///
    /// - Parameters:
    ///   - path: The file of the journal.
    ///   - lists: The lists of URLs, as given to ``BatchJournal``.
    ///   - options: The options for reading the lists.
    ///   - results: The file of the results.
    ///   - output: The folder of the bodies, if they are kept.
    /// - Throws: ``BatchFailure`` as ``BatchJournal`` does, except for a journal in use.
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
        doneCount = reading.doneCount
        answered = reading.answered
        failedCount = reading.failed
        damage = reading.damage
    }
}
