internal import CurlURLSession
internal import Foundation

/// What a task's delegate knows of it.
struct TaskDelegateState: Sendable {
    private(set) weak var manager: URLSessionManager?
    /// The manager, as long as the task is under way.
    private var keptManager: URLSessionManager?
    /// Of a task with an interceptor.
    var interception: TaskInterception?
    /// The data task that has become this one; who was told of it is told of it at the end.
    var former: URLSessionDataTask?
    private(set) var isOver = false
    /// When the task began, for those who wait for its completion.
    var age: Int?

    /// What there is of the body.
    private(set) var data = Data()
    var uploadProgress: TransferProgress
    var downloadProgress: TransferProgress
    /// Where the file was to go.
    var file: URL?
    /// Why it isn't there.
    var fileError: (any Error)?
    var metrics: URLSessionTaskMetrics?
    /// Why a challenge was refused, which counts for more than that the task was cancelled for it.
    var challengeError: (any Error)?
    /// Instead of the manager's.
    var serializer: (any URLResponseSerialization)?
    /// The stream that the request has was read.
    private var hasReadStream = false

    init(manager: URLSessionManager, wishes: TaskWishes) {
        self.manager = manager
        uploadProgress = TransferProgress(handler: wishes.uploadProgress)
        downloadProgress = TransferProgress(handler: wishes.downloadProgress)
        interception = wishes.interceptor.map { TaskInterception($0) }
    }

    /// No piece is moved that is the first: most bodies have no other.
    mutating func append(_ piece: Data) {
        if data.isEmpty { data = piece } else { data.append(piece) }
    }

    /// Has a sequence told how far the task comes in one direction. False if that is over.
    mutating func add(
        _ update: AsyncStream<TransferAmount>.Continuation,
        to direction: WritableKeyPath<TaskDelegateState, TransferProgress>
    ) -> Bool {
        guard !isOver else { return false }
        self[keyPath: direction].add(update)
        return true
    }

    /// The task is let run: from now on it keeps the manager.
    mutating func noteResumption() {
        if !isOver { keptManager = manager }
    }

    /// Whether the request's own stream can be sent. It can once.
    mutating func takeStream() -> Bool {
        defer { hasReadStream = true }
        return !hasReadStream
    }

    /// Nothing is left of an attempt that another one follows.
    mutating func beginAnew() {
        guard !isOver else { return }
        (data, file, fileError, challengeError) = (Data(), nil, nil, nil)
    }

    /// What lives until the completion has been told.
    struct Kept: Sendable {
        let manager: URLSessionManager?
        let former: URLSessionDataTask?
        let age: Int?
    }

    /// What is left of a task that is over.
    struct Remains: Sendable {
        let kept: Kept
        let data: Data
        let file: URL?
        let fileError: (any Error)?
        let metrics: URLSessionTaskMetrics?
        let challengeError: (any Error)?
        let serializer: (any URLResponseSerialization)?
        let interception: TaskInterception?
        /// Sequences that end.
        let updates: [AsyncStream<TransferAmount>.Continuation]
    }

    /// The task is over, and the body is moved to whoever reads it.
    mutating func end() -> Remains {
        isOver = true
        defer { (data, keptManager, former, interception) = (Data(), nil, nil, nil) }
        return Remains(
            kept: Kept(manager: keptManager, former: former, age: age),
            data: data,
            file: file,
            fileError: fileError,
            metrics: metrics,
            challengeError: challengeError,
            serializer: serializer,
            interception: interception,
            updates: uploadProgress.end() + downloadProgress.end()
        )
    }
}
