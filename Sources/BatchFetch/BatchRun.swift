import Curl
import Synchronization

/// A batch that is being fetched, and the sequence of its results.
///
/// The results are for one consumer: iterate over the run once. A consumer that is slow slows the
/// run down: when a thousand results wait for it (or, where there are more, twice the
/// concurrency; with bodies in memory always that), nothing is started. Cancelling the
/// task that iterates cancels the run, and so does letting go of it.
///
/// Everything else may be called on any thread.
public final class BatchRun: AsyncSequence, Sendable {
    /// A result.
    public typealias Element = BatchResult

    private let core: RunCore
    private let keeper: Mutex<LoopThread?>

    init(
        _ configuration: BatchConfiguration,
        _ input: BatchInput,
        _ file: consuming FileDescriptor,
        done: DoneBefore,
        fetcher: any Fetcher,
        sinks: SinkFactory
    ) throws(BatchFailure) {
        do throws(SystemFailure) {
            let core = try RunCore(configuration, done: done, fetcher: fetcher, sinks: sinks)
            self.core = core
            let reader = InputReader(input, file: file, core: core)
            keeper = Mutex(try LoopThread(name: "batch") { core.run(reader) })
        } catch {
            _ = sinks.end()
            throw BatchFailure(.resources, "the run can't start: \(error)")
        }
    }

    deinit {
        core.stop(cancelling: true)
        keeper.withLock { $0.take() }?.join()
    }

    /// How far it is.
    public var progress: BatchProgress { core.progress }

    /// What it has come to so far; all of it once the iteration has ended.
    public var summary: BatchSummary { core.summary }

    /// Why the list could not be read to its end, if it couldn't. Set before the iteration ends.
    public var inputFailure: BatchFailure? { core.inputFailure }

    /// Why the run ended itself before the list's end, if it did: a limit was reached.
    public var stopFailure: BatchFailure? { core.stopFailure }

    /// Why the run ended itself because no body can be written any more (a full disk, for instance),
    /// or why the output could not be closed: then what is in an archive is left as `.part`. Set before
    /// the iteration ends.
    public var outputFailure: BatchFailure? { core.outputFailure }

    /// Names that differ from another one in nothing but the case of letters, of a run that was made
    /// by ``Batch/plan(_:)``: where such names are the same, one body would replace the other.
    public var caseCollisions: Int { core.caseCollisions }

    /// Starts nothing any more. What is in flight goes on; the iteration ends with its results.
    public func stop() { core.stop(cancelling: false) }

    /// Starts nothing any more, and ends what is in flight: each of those has a result with the
    /// code `cancelled`, then the iteration ends.
    public func cancel() { core.stop(cancelling: true) }

    /// Begins the iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run: self) }

    /// Hands out results one at a time, and fetches those that have come from the run together.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let run: BatchRun
        private var results: [BatchResult] = []
        private var index = 0

        init(run: BatchRun) {
            self.run = run
        }

        /// The next result; `nil` when all have been handed out.
        public mutating func next() async -> BatchResult? {
            await next(isolation: #isolation)
        }

        /// The next result; `nil` when all have been handed out.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> BatchResult? {
            if index == results.count {
                let core = run.core
                index = 0
                results = await withTaskCancellationHandler {
                    await core.nextResults()
                } onCancel: {
                    core.stop(cancelling: true)
                }
                if results.isEmpty { return nil }
            }
            defer { index += 1 }
            return results[index]
        }
    }
}
