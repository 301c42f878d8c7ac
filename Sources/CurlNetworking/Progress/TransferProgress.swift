internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// How far one direction of a task has come, for those who want to know: as a `Progress`, which is made
/// when somebody asks for it, and as sequences.
struct TransferProgress: Sendable {
    /// Who is told of news.
    struct Audience: Sendable {
        fileprivate let progress: Progress?
        fileprivate let handler: URLSessionManager.ProgressHandler?
        fileprivate let updates: [AsyncStream<TransferAmount>.Continuation]

        /// On the operation queue, without any lock.
        func tell(_ amount: TransferAmount) {
            if let progress {
                TransferProgress.note(amount, in: progress)
                handler?(progress)
            }
            for update in updates { update.yield(amount) }
        }
    }

    /// Is told of each piece that is transferred.
    private let handler: URLSessionManager.ProgressHandler?
    private var progress: Progress?
    private var updates: [AsyncStream<TransferAmount>.Continuation] = []

    /// Held by whoever changes a progress, which has no lock of its own, and changes its parent, which
    /// those of other tasks may share.
    private static let changes = Mutex<Void>(())

    init(handler: URLSessionManager.ProgressHandler?) {
        self.handler = handler
    }

    /// The progress, the same one each time.
    ///
    /// - Parameters:
    ///   - task: Is cancelled, suspended and resumed as the progress is.
    ///   - amount: What there is so far.
    mutating func progress(of task: URLSessionTask, _ amount: TransferAmount) -> Progress {
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

    /// Has a sequence told what there is to tell, until ``end()``.
    mutating func add(_ update: AsyncStream<TransferAmount>.Continuation) {
        updates.append(update)
    }

    /// Who is told; `nil` if nobody wants to know.
    mutating func audience(of task: URLSessionTask) -> Audience? {
        guard progress != nil || handler != nil || !updates.isEmpty else { return nil }
        let progress = handler == nil ? progress : progress(of: task, .none)
        return Audience(progress: progress, handler: handler, updates: updates)
    }

    /// Those who are told that all begins again; `nil` if nobody has been told of anything.
    var begun: Audience? {
        progress == nil ? nil : Audience(progress: progress, handler: nil, updates: updates)
    }

    /// Those whose sequences end.
    mutating func end() -> [AsyncStream<TransferAmount>.Continuation] {
        defer { updates = [] }
        return updates
    }

    private static func note(_ amount: TransferAmount, in progress: Progress) {
        changes.withLock { _ in
            if progress.totalUnitCount != amount.total { progress.totalUnitCount = amount.total }
            if progress.completedUnitCount != amount.completed {
                progress.completedUnitCount = amount.completed
            }
        }
    }
}
