import Curl

/// A batch whose first list is open, whose output folder is there and whose transport is up: little can
/// go wrong any more, and nothing is fetched yet. One that is let go of without a start leaves nothing
/// running.
package final class PreparedBatch {
    private let configuration: BatchConfiguration
    private let input: BatchInput
    private let done: DoneBefore
    private let fetcher: any Fetcher
    private let sinks: SinkFactory
    /// None once it is started.
    private var file: FileDescriptor?

    init(
        _ configuration: BatchConfiguration,
        _ input: BatchInput,
        _ file: consuming FileDescriptor,
        done: DoneBefore,
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

    /// Starts fetching. Once.
    package func start() throws(BatchFailure) -> BatchRun {
        guard let file = file.take() else {
            throw BatchFailure(.configuration, "a batch that was prepared is started once")
        }
        return try BatchRun(
            configuration,
            input,
            file,
            done: done,
            fetcher: fetcher,
            sinks: sinks
        )
    }
}
