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
/// pass by itself is tried again. Each URL has one result, in the order in which they are done.
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
    /// - Parameter earlier: Of the same list; what was fetched then is skipped.
    /// - Throws: ``BatchFailure`` with the code `configuration`, `input`, `output` or `resources`,
    ///   before anything is fetched.
    public func start(
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil
    ) throws(BatchFailure) -> BatchRun {
        try configuration.validate()
        return try start(
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
    /// - Throws: ``BatchFailure`` with the code `configuration`, `input` or `resources`.
    public func plan(_ input: BatchInput) throws(BatchFailure) -> BatchRun {
        try configuration.validate()
        let file = try InputReader.open(input)
        let sinks = SinkFactory(planning: configuration.output)
        return try BatchRun(
            configuration,
            input,
            file,
            done: [],
            fetcher: NoFetcher(),
            sinks: sinks
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
        let file = try InputReader.open(input)
        let sinks = try SinkFactory(configuration.output)
        return try BatchRun(
            configuration,
            input,
            file,
            done: [journal?.done, earlier?.fetched].compactMap { $0 }.filter { !$0.isEmpty },
            fetcher: fetcher,
            sinks: sinks
        )
    }
}
