import Curl

/// Fetches many URLs at once, in constant memory however many there are.
///
/// ```swift
/// let batch = Batch(BatchConfiguration(concurrency: 500, output: .directory("pages")))
/// let run = try batch.start(.file("urls.txt"))
/// for await result in run where !result.isFetched {
///     print(result.url, result.failure?.message ?? "")
/// }
/// print(run.summary.topFailures)
/// ```
///
/// URLs are read while others are fetched. Hosts take turns, none has more than its share in
/// flight, and one that asks for a pause (`Retry-After`) gets it while the others go on. What may
/// pass by itself is tried again. A redirect (at most 20 follow each other) waits for its turn at the
/// host that it leads to, whose limits and `robots.txt` hold for it; what proves who asks goes to no
/// other origin. Each URL has one result, in the order in which they are done.
public struct Batch: Sendable {
    /// How it is fetched.
    public let configuration: BatchConfiguration

    /// Creates a batch. Nothing is started.
    public init(_ configuration: BatchConfiguration = BatchConfiguration()) {
        self.configuration = configuration
    }

    /// Starts fetching, with a transport and threads of the run's own. Opens a list that is a file,
    /// and makes the output folder: for a moment it may wait for the disk.
    ///
    /// - Parameter journal: Of the list that is the input; what it says is done with is skipped. It
    ///   is told what gets done by a ``ResultLog``, not by the run.
    /// - Parameter earlier: What was fetched then is skipped.
    /// - Throws: ``BatchFailure`` with the code `configuration`, `input`, `output` or `resources`,
    ///   before anything is fetched.
    public func start(
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> BatchRun {
        try prepare(input, journal: journal, skipping: earlier).start()
    }

    /// Does all of a start that can fail for reasons of the configuration or the system, and fetches
    /// nothing: for those who have more to make ready, and to empty, once they know that it goes on.
    ///
    /// - Throws: As ``start(_:journal:skipping:)``.
    package func prepare(
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> PreparedBatch {
        try configuration.validate()
        return try prepare(
            input,
            journal: journal,
            skipping: earlier,
            fetcher: try TransportFetcher(configuration)
        )
    }

    /// Reads a list and says what would be fetched, without a socket, and without a change to any
    /// file: each URL has a result with the path that its body would have, as far as it is known
    /// before there is a response. What is malformed, and what would have another one's name, fails.
    ///
    /// - Parameter journal: Of the list that is the input; what it says is done with is skipped.
    /// - Parameter earlier: What was fetched then is skipped.
    /// - Throws: ``BatchFailure`` with the code `configuration`, `input` or `resources`.
    public func plan(
        _ input: BatchInput,
        journal: JournalSnapshot? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> BatchRun {
        try preparePlan(input, journal: journal, skipping: earlier).start()
    }

    /// As ``plan(_:journal:skipping:)``, with nothing read yet.
    package func preparePlan(
        _ input: BatchInput,
        journal: JournalSnapshot? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> PreparedBatch {
        try configuration.validate()
        return PreparedBatch(
            configuration,
            input,
            try InputReader.open(input),
            done: DoneBefore(journal: journal?.done, results: earlier),
            fetcher: NoFetcher(),
            sinks: SinkFactory(
                planning: configuration.output,
                after: (earlier?.paths ?? []) + (journal.map { [$0.resultsPath] } ?? []),
                sparing: configuration.sparedFiles
            )
        )
    }

    /// As ``start(_:journal:skipping:)``, with attempts made by somebody else.
    func start(
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil,
        fetcher: any Fetcher
    ) throws(BatchFailure) -> BatchRun {
        try configuration.validate()
        return try prepare(input, journal: journal, skipping: earlier, fetcher: fetcher).start()
    }

    private func prepare(
        _ input: BatchInput,
        journal: BatchJournal?,
        skipping earlier: EarlierResults?,
        fetcher: any Fetcher
    ) throws(BatchFailure) -> PreparedBatch {
        let file = try InputReader.open(input)
        return PreparedBatch(
            configuration,
            input,
            file,
            done: DoneBefore(journal: journal?.done, results: earlier),
            fetcher: fetcher,
            sinks: try SinkFactory(
                configuration.output,
                journal: journal,
                after: earlier,
                sparing: configuration.sparedFiles,
                keepsParts: configuration.keepsPartialFiles && !configuration.isHeadOnly,
                segments: configuration.segments
            )
        )
    }
}
