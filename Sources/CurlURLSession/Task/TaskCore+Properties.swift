internal import Foundation
internal import Synchronization

// What a task's owner sets and asks for.

extension TaskCore {
    /// Of no session: it fails when it begins.
    static func unattached() -> TaskCore {
        var state = TaskState(
            session: nil,
            request: nil,
            kind: .data,
            body: .none,
            consumer: .delegate,
            delegate: nil
        )
        state.obstacle = .noSession
        return TaskCore(identifier: 0, state: state)
    }

    func setDelegate(_ delegate: (any URLSessionTaskDelegate)?) {
        let observer = delegate.flatMap { $0 as? any URLSessionTaskObserver }
        let interceptor = observer?.interceptor
        let former = state.withLock { state in
            defer {
                (state.delegate, state.observer) = (delegate, observer)
                state.interceptor = interceptor
            }
            return (state.delegate, state.interceptor)
        }
        // Perhaps the last reference, which isn't to be let go of under the lock.
        extendLifetime(former)
    }

    // MARK: Progress

    func progress(of task: URLSessionTask) -> Progress {
        if let progress = state.withLock({ $0.details.progress }) { return progress }
        // Nobody's child, whoever's turn it is: its owner says whose it is.
        let progress = Progress.discreteProgress(totalUnitCount: -1)
        progress.isCancellable = true
        progress.isPausable = true
        progress.cancellationHandler = { [weak task] in task?.cancel() }
        progress.pausingHandler = { [weak task] in task?.suspend() }
        progress.resumingHandler = { [weak task] in task?.resume() }
        let kept = state.withLock { state in
            let kept = state.details.progress ?? progress
            state.details.progress = kept
            return kept
        }
        hasProgress.store(true, ordering: .releasing)
        updateProgress()
        return kept
    }

    /// Held by whoever changes a task's progress. Taken before the task's lock.
    ///
    /// A progress has no lock of its own, and changes its parent, which those of other tasks may share.
    private static let progressChanges = Mutex<Void>(())

    /// Takes over what the counts say, where somebody has asked for a progress.
    func updateProgress() {
        guard hasProgress.load(ordering: .acquiring),
            let progress = state.withLock({ $0.details.progress })
        else { return }
        Self.progressChanges.withLock { _ in
            let (counts, isCompleted) = state.withLock { ($0.counts, $0.life.isCompleted) }
            if isCompleted {
                let moved = max(counts.moved, 1)
                progress.note(total: moved, completed: moved)
            } else {
                progress.note(total: counts.expected, completed: counts.moved)
            }
        }
    }
}

extension Progress {
    /// Writes what has changed alone, for others may be reading.
    fileprivate func note(total: Int64, completed: Int64) {
        if totalUnitCount != total { totalUnitCount = total }
        if completedUnitCount != completed { completedUnitCount = completed }
    }
}
