internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// Reports the progress of one direction of a task to its observers.
///
/// The observers are a `Progress`, which is created when it is first requested, a handler, and
/// sequences.
struct TransferProgress: Sendable {
    /// The observers of one progress update.
    struct Audience: Sendable {
        fileprivate let progress: Progress?
        fileprivate let handler: URLSessionManager.ProgressHandler?
        fileprivate let updates: [AsyncStream<ByteProgress>.Continuation]

        /// Reports an amount. Called on the operation queue, without holding a lock.
        func report(_ amount: ByteProgress) {
            if let progress {
                TransferProgress.note(amount, in: progress)
                handler?(progress)
            }
            for update in updates { update.yield(amount) }
        }
    }

    /// Called for each piece that is transferred.
    private let handler: URLSessionManager.ProgressHandler?
    private var progress: Progress?
    private var updates: [AsyncStream<ByteProgress>.Continuation] = []

    /// Protects changes of all `Progress` objects.
    ///
    /// A `Progress` has no lock of its own, and changes its parent, which tasks may share.
    private static let changes = Mutex<Void>(())

    init(handler: URLSessionManager.ProgressHandler?) {
        self.handler = handler
    }

    /// The task's `Progress`, always the same object.
    ///
    /// - Parameters:
    ///   - task: Cancelled, suspended and resumed together with the progress.
    ///   - amount: The amount transferred so far.
    mutating func progress(of task: URLSessionTask, _ amount: ByteProgress) -> Progress {
        if let progress { return progress }
        let progress = Progress.discreteProgress(totalUnitCount: amount.total)
        progress.completedUnitCount = amount.completed
        progress.isCancellable = true
        progress.isPausable = true
        progress.cancellationHandler = { [weak task] in task?.cancel() }
        progress.pausingHandler = { [weak task] in task?.suspend() }
        progress.resumingHandler = { [weak task] in task?.resume() }
        self.progress = progress
        return progress
    }

    /// Adds a sequence that receives updates until ``end()``.
    mutating func add(_ update: AsyncStream<ByteProgress>.Continuation) {
        updates.append(update)
    }

    /// The observers of the next update; `nil` if there are none.
    mutating func audience(of task: URLSessionTask) -> Audience? {
        guard progress != nil || handler != nil || !updates.isEmpty else { return nil }
        let progress = handler == nil ? progress : progress(of: task, .none)
        return Audience(progress: progress, handler: handler, updates: updates)
    }

    /// The observers to reset when a task restarts.
    ///
    /// `nil` if there is no `Progress`.
    var begun: Audience? {
        progress == nil ? nil : Audience(progress: progress, handler: nil, updates: updates)
    }

    /// Removes and returns the sequences, which the caller has to finish.
    mutating func end() -> [AsyncStream<ByteProgress>.Continuation] {
        defer { updates = [] }
        return updates
    }

    private static func note(_ amount: ByteProgress, in progress: Progress) {
        changes.withLock { _ in
            if progress.totalUnitCount != amount.total { progress.totalUnitCount = amount.total }
            if progress.completedUnitCount != amount.completed {
                progress.completedUnitCount = amount.completed
            }
        }
    }
}
