internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// What is known of the attempts of a task with an interceptor.
final class TaskInterception: Sendable {
    private struct State: Sendable {
        var retryCount = 0
        /// In which the interceptor thinks.
        var work: Task<Void, Never>?
        var isOver = false
        var end = End()
    }

    /// How the last attempt came out.
    struct End: Sendable {
        /// What was made of its response; `nil` if there was nothing to make.
        var serialized: TaskOutcome?
        /// What its failure is told as; `nil` for what it is.
        var error: (any Error)?
    }

    let interceptor: any RequestInterceptor
    private let state = Mutex(State())

    init(_ interceptor: any RequestInterceptor) {
        self.interceptor = interceptor
    }

    /// How many attempts there were before the present one.
    var retryCount: Int { state.withLock { $0.retryCount } }

    /// Has the interceptor asked. It is told by the cancellation of its Swift task that the task is over.
    func ask(_ question: @escaping @Sendable () async -> Void) {
        guard !state.withLock({ $0.isOver }) else { return }
        let work = Task { await question() }
        let isOver = state.withLock { state in
            if !state.isOver { state.work = work }
            return state.isOver
        }
        if isOver { work.cancel() }
    }

    func noteSerialized(_ outcome: TaskOutcome) {
        state.withLock { if !$0.isOver { $0.end.serialized = outcome } }
    }

    func noteReplacement(of failure: any Error) {
        state.withLock { $0.end.error = failure }
    }

    /// Another attempt follows. False if the task is over.
    func noteRetry() -> Bool {
        let former: End? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.retryCount += 1
            defer { state.end = End() }
            return state.end
        }
        defer { extendLifetime(former) }
        return former != nil
    }

    /// The task is over.
    func finish() -> End {
        let (work, end) = state.withLock { state in
            defer { (state.isOver, state.work, state.end) = (true, nil, End()) }
            return (state.work, state.end)
        }
        work?.cancel()
        return end
    }
}
