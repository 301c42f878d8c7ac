internal import Foundation
internal import Synchronization

// Properties and settings for a task's owner.

extension TaskCore {
    /// Creates a task without a session. It fails when it starts.
    static func unattached() -> TaskCore {
        var state = TaskState(
            session: nil,
            request: nil,
            kind: .data,
            body: .none,
            consumer: .delegate,
            delegate: nil
        )
        state.startFailure = .noSession
        return TaskCore(identifier: 0, state: state)
    }

    func setDelegate(_ delegate: (any URLSessionTaskDelegate)?) {
        let ownDelegate = OwnDelegate(delegate)
        let former = state.withLock { state in
            defer { state.ownDelegate = ownDelegate }
            return state.ownDelegate
        }
        // This may be the last reference, which must not be released under the lock.
        extendLifetime(former)
    }

    /// Whether a Swift task awaits the result.
    var isAwaited: Bool { state.withLock { $0.consumer.isAwaited } }

    // MARK: Progress

    func progress(of task: URLSessionTask) -> Progress {
        if let progress = state.withLock({ $0.details.progress }) { return progress }
        // Created without a parent, even if the current thread has a current progress: the owner
        // chooses the parent.
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

    // Lock order: taken before a task's lock.
    /// Serialises the changes of all tasks' progress objects.
    ///
    /// A `Progress` has no lock of its own, and changes its parent, which other tasks may share.
    private static let progressChanges = Mutex<Void>(())

    /// Updates the progress object from the counts, if the owner has requested one.
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
    /// Writes only changed values, because other threads may be reading.
    fileprivate func note(total: Int64, completed: Int64) {
        if totalUnitCount != total { totalUnitCount = total }
        if completedUnitCount != completed { completedUnitCount = completed }
    }
}
