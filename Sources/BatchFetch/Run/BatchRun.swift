import Posix
import Synchronization

/// A running batch, and the asynchronous sequence of its results.
///
/// The results are for one consumer: iterate over the run once. A slow consumer slows the run down:
/// no request is started while 1,024 results (or twice the concurrency, if that is more; always
/// twice the concurrency with bodies in memory) are unread. Cancelling the iterating task cancels
/// the run, and so does releasing the run.
///
/// Everything else may be called on any thread.
public final class BatchRun: AsyncSequence, Sendable {
    /// The result of one URL.
    public typealias Element = BatchResult

    private let core: RunCore
    private let keeper: Mutex<JoinedThread?>

    init(
        _ configuration: BatchConfiguration,
        _ source: any WorkSource,
        done: CompletedURLs,
        fetcher: any Fetcher,
        sinks: SinkFactory
    ) throws(BatchFailure) {
        do throws(SystemFailure) {
            let core = try RunCore(
                configuration,
                done: done,
                fetcher: fetcher,
                sinks: sinks,
                source: source
            )
            self.core = core
            keeper = Mutex(try JoinedThread(name: "batch") { core.run() })
        } catch {
            _ = sinks.end()
            throw BatchFailure(.resources, "can't start the run: \(error)")
        }
    }

    deinit {
        core.stop(cancelling: true)
        keeper.withLock { $0.take() }?.join()
    }

    /// The current progress.
    public var progress: BatchProgress { core.progress }

    /// The summary of the results so far. It is final once the iteration has ended.
    public var summary: BatchSummary { core.summary }

    /// Why the list could not be read to its end, if so. Set before the iteration ends.
    public var inputFailure: BatchFailure? { core.inputFailure }

    /// What the lists have that isn't used, in words, since the last call. Each is returned once.
    package func takeInputWarnings() -> [String] { core.inputWarnings.take() }

    /// The limit that ended the run early, if any.
    public var stopFailure: BatchFailure? { core.stopFailure }

    /// Why bodies can't be written, or why the output couldn't be closed.
    ///
    /// In the first case (for instance a full disk) the run has ended itself. In the second an
    /// archive stays as `.part`. Set before the iteration ends.
    public var outputFailure: BatchFailure? { core.outputFailure }

    /// The number of names that differ from another name only in case.
    ///
    /// Counted by ``Batch/plan(_:journal:skipping:)``. On a case-insensitive file system one such
    /// body would replace the other.
    public var caseCollisions: Int { core.caseCollisions }

    /// Stops starting requests. The iteration ends with the results of those in flight.
    public func stop() { core.stop(cancelling: false) }

    /// Stops starting requests and aborts those in flight.
    ///
    /// Each aborted URL has a result with the code `cancelled`; then the iteration ends.
    public func cancel() { core.stop(cancelling: true) }

    /// Returns the results since the last call; none at the end.
    ///
    /// Cancelling the task aborts the run.
    package func nextResults() async -> [BatchResult] {
        await withTaskCancellationHandler {
            await core.nextResults()
        } onCancel: {
            core.stop(cancelling: true)
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run: self) }

    /// Returns single results, and takes them from the run in batches.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let run: BatchRun
        private var results: [BatchResult] = []
        private var index = 0

        init(run: BatchRun) {
            self.run = run
        }

        /// Returns the next result; `nil` at the end.
        public mutating func next() async -> BatchResult? {
            await next(isolation: #isolation)
        }

        /// Returns the next result; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> BatchResult? {
            if index == results.count {
                index = 0
                results = await run.nextResults()
                if results.isEmpty { return nil }
            }
            defer { index += 1 }
            return results[index]
        }
    }
}

/// Wakes the task that waits for results.
///
/// It holds no results: the woken task fetches them itself.
final class ResultSignal: Sendable {
    private struct State {
        var isSignalled = false
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Signals that results are available.
    func signal() {
        state.withLock { state in
            state.isSignalled = state.waiter == nil
            return state.waiter.take()
        }?.resume()
    }

    /// Signals that no more results will come.
    func end() {
        state.withLock { state in
            state.isOver = true
            return state.waiter.take()
        }?.resume()
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns when it was signalled since the last call, or has ended.
    func wait() async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state -> CheckedContinuation<Void, Never>? in
                if state.isSignalled || state.isOver {
                    state.isSignalled = false
                    return continuation
                }
                // There is one consumer: a task that waits already is resumed.
                let earlier = state.waiter
                state.waiter = continuation
                return earlier
            }
            released?.resume()
        }
    }
}
