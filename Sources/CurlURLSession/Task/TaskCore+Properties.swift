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
        let former = state.withLock { state in
            defer { state.delegate = delegate }
            return state.delegate
        }
        // Perhaps the last reference, which isn't to be let go of under the lock.
        extendLifetime(former)
    }

    // MARK: Progress

    func progress(of task: URLSessionTask) -> Progress {
        if let progress = state.withLock({ $0.details.progress }) { return progress }
        let progress = Progress(totalUnitCount: -1)
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
        updateProgress()
        return kept
    }

    /// Takes over what the counts say, where somebody has asked for a progress.
    func updateProgress() {
        let known: (Progress, ByteCounts, Bool)? = state.withLock { state in
            state.details.progress.map { ($0, state.counts, state.life.isCompleted) }
        }
        guard let (progress, counts, isCompleted) = known else { return }
        let moved = counts.sent + counts.received
        if isCompleted {
            progress.totalUnitCount = max(moved, 1)
            progress.completedUnitCount = progress.totalUnitCount
        } else {
            let isKnown = counts.expectedToSend >= 0 && counts.expectedToReceive > 0
            progress.totalUnitCount =
                isKnown ? counts.expectedToSend + counts.expectedToReceive : -1
            progress.completedUnitCount = moved
        }
    }
}
