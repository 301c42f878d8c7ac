import Posix

/// A batch that is ready to start.
///
/// Its first list is open, its output folder exists and its transport is running, so that a start
/// rarely fails. Nothing is fetched yet. If it is released without a start, it leaves nothing
/// running.
package final class PreparedBatch {
    private let configuration: BatchConfiguration
    private let input: BatchInput
    private let done: CompletedURLs
    private let fetcher: any Fetcher
    private let sinks: SinkFactory
    /// The first list; `nil` after the start.
    private var file: ListFile?

    init(
        _ configuration: BatchConfiguration,
        _ input: BatchInput,
        _ file: consuming ListFile,
        done: CompletedURLs,
        fetcher: any Fetcher,
        sinks: SinkFactory
    ) {
        self.configuration = configuration
        self.input = input
        self.file = consume file
        self.done = done
        self.fetcher = fetcher
        self.sinks = sinks
    }

    deinit {
        if file != nil { _ = sinks.end() }
    }

    /// Starts fetching. Call it once.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if it was started already.
    package func start() throws(BatchFailure) -> BatchRun {
        guard let file = file.take() else {
            throw BatchFailure(
                .configuration,
                "a prepared batch can be started only once: prepare it again"
            )
        }
        return try BatchRun(
            configuration,
            ListSource(InputReader(input, file: file)),
            done: done,
            fetcher: fetcher,
            sinks: sinks
        )
    }
}

/// The URLs that were completed before a run and aren't fetched again.
struct CompletedURLs: Sendable {
    /// The ordinals of URLs that a journal has as completed.
    var journal: OrdinalSet?
    var results: EarlierResults?
    /// The answered requests of an endless list with a journal.
    var answered: AnsweredRequests?

    var isEmpty: Bool {
        journal?.isEmpty != false && results == nil && answered?.isEmpty != false
    }
}
