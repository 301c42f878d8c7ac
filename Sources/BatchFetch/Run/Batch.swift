import Posix

#if !BatchFetch
    #error("BatchFetch needs the package trait of its name: leave out traits: []")
#endif

/// Fetches many URLs concurrently in constant memory, however many there are.
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
/// The batch reads URLs while it fetches others. It schedules hosts round-robin and limits the
/// requests in flight per host. A host that asks for a pause (`Retry-After`) gets it; the other
/// hosts continue. The batch retries failures that may be temporary. It queues a redirect (at most
/// 20 in a row) at its target host, whose limits and `robots.txt` apply. Another origin gets only
/// fields that are known to be harmless, such as `Accept` and `User-Agent`. Each URL has one
/// result; results come in order of completion.
public struct Batch: Sendable {
    /// The settings of the batch.
    public let configuration: BatchConfiguration

    /// Creates a batch. Starts nothing.
    public init(_ configuration: BatchConfiguration = BatchConfiguration()) {
        self.configuration = configuration
    }

    /// Starts fetching, with its own transport and threads.
    ///
    /// Opens the first list and creates the output folder, so it may block briefly on the disk.
    ///
    /// - Parameter journal: The journal of the input list; the run skips the URLs that it records
    ///   as completed. A ``ResultLog`` adds newly completed URLs to the journal; the run doesn't.
    /// - Parameter earlier: Results of earlier runs; the run skips the URLs that they list as
    ///   fetched.
    /// - Throws: ``BatchFailure`` with the code `configuration`, `input`, `output` or `resources`,
    ///   before anything is fetched.
    public func start(
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> BatchRun {
        try prepare(input, journal: journal, skipping: earlier).start()
    }

    /// Does every part of a start that can fail, without fetching.
    ///
    /// For callers that have to prepare or empty their own files only once the start can't fail any
    /// more.
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

    /// Reads a list and reports what a run would fetch.
    ///
    /// Opens no socket and changes no file. Each URL has a result with the path of its body, as far
    /// as the path is known before the response. A malformed line, and a URL whose body would get
    /// another URL's name, have a failed result.
    ///
    /// - Parameter journal: The journal of the input list; the plan skips the URLs that it records
    ///   as completed.
    /// - Parameter earlier: Results of earlier runs; the plan skips the URLs that they list as
    ///   fetched.
    /// - Throws: ``BatchFailure`` with the code `configuration`, `input` or `resources`.
    public func plan(
        _ input: BatchInput,
        journal: JournalSnapshot? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> BatchRun {
        try preparePlan(input, journal: journal, skipping: earlier).start()
    }

    /// Prepares a plan as ``plan(_:journal:skipping:)`` does, without reading the list.
    package func preparePlan(
        _ input: BatchInput,
        journal: JournalSnapshot? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> PreparedBatch {
        try configuration.validate()
        _ = try configuration.requests.netrc()
        return PreparedBatch(
            configuration,
            input,
            try InputReader.open(input),
            done: CompletedURLs(
                journal: journal?.done,
                results: earlier,
                answered: journal?.answered
            ),
            fetcher: NoFetcher(),
            sinks: SinkFactory(
                planning: configuration.output,
                after: (earlier?.paths ?? []) + (journal.map { $0.resultFiles } ?? []),
                protecting: configuration.protectedFiles
            )
        )
    }

    /// Starts as ``start(_:journal:skipping:)`` does, with attempts made by `fetcher`.
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
        let sinks = try sinks(journal: journal, skipping: earlier)
        if let problem = sinks.openStore() { configuration.onWarning?(problem) }
        return PreparedBatch(
            configuration,
            input,
            file,
            done: CompletedURLs(
                journal: journal?.done,
                results: earlier,
                answered: journal?.answered
            ),
            fetcher: fetcher,
            sinks: sinks
        )
    }

    func sinks(
        journal: BatchJournal?,
        skipping earlier: EarlierResults?
    ) throws(BatchFailure) -> SinkFactory {
        try SinkFactory(
            configuration.output,
            journal: journal,
            after: earlier,
            protecting: configuration.protectedFiles,
            keepsParts: configuration.keepsPartialFiles && !configuration.isHeadOnly
                && !configuration.requests.selectsParts,
            segments: configuration.segments,
            usesRemoteTime: configuration.usesRemoteTime,
            omitting: configuration.requests.omittedFields
        )
    }
}
