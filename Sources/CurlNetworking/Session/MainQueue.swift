internal import Dispatch
internal import Foundation
internal import Synchronization

/// Takes completions and notifications to the main queue, and says so once if they wait there in vain:
/// a program that isn't an app may never drain it.
final class MainQueue: Sendable {
    /// The process' own.
    static let shared = MainQueue(patience: .seconds(5)) { warning in
        try? FileHandle.standardError.write(contentsOf: Data((warning + "\n").utf8))
    }

    /// What is said.
    static let warning = """
        CurlNetworking: a completion handler has waited for the main queue for more than five \
        seconds. Unless a completionQueue is set, handlers are called on the main queue, which a \
        program has to drain: by an asynchronous main function, RunLoop.main.run() or \
        dispatchMain(). Services set the manager's completionQueue, or use the asynchronous \
        methods, which need no queue.
        """

    private struct State: Sendable {
        /// Since when each of the completions waits that weren't called yet.
        var completions = WorkQueue<ContinuousClock.Instant>()
        /// Somebody looks after a while whether they still wait.
        var isWatched = false
        var hasWarned = false
        var posts = WorkQueue<MainNotification>()
        /// Of the bodies that those hold.
        var postedBytes = 0
        /// Since when the first of those waits, unless it was dropped.
        var postsWaitSince: ContinuousClock.Instant?
        /// The program isn't one of those that never drain their main queue.
        var hasPosted = false

        var hasManyPosts: Bool {
            posts.count >= MainQueue.keptPosts
                || (postedBytes > MainQueue.keptBytes && posts.count > 0)
        }

        /// What is to be done about those that wait, after a while.
        mutating func look(patience: Duration) -> Look {
            guard let since = completions.first else {
                isWatched = false
                return .done
            }
            let waited = since.duration(to: .now)
            guard waited >= patience else { return .again(after: patience - waited) }
            hasWarned = true
            completions = WorkQueue()
            return .warn
        }
    }

    private enum Look {
        case done
        case again(after: Duration)
        case warn
    }

    /// So many notifications, with so many bytes of bodies, are kept for a main queue that was never
    /// drained.
    private static let keptPosts = 1000
    private static let keptBytes = 64 << 20

    private let queue: DispatchQueue
    private let patience: Duration
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: The queue that is meant.
    ///   - patience: For how long a completion may wait.
    ///   - log: Is given the warning, on any thread, at most once.
    init(
        queue: DispatchQueue = .main,
        patience: Duration,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.queue = queue
        self.patience = patience
        self.log = log
    }

    // MARK: Completions

    /// Has a completion called on the main queue, as a member of a group.
    ///
    /// - Parameter isAwaited: Somebody misses it who doesn't get it.
    func async(
        group: DispatchGroup,
        isAwaited: Bool,
        _ completion: @escaping @Sendable () -> Void
    ) {
        guard isAwaited else {
            return queue.async(group: group, execute: completion)
        }
        let isToBeWatched = state.withLock { state in
            guard !state.hasWarned else { return false }
            state.completions.append(.now)
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isToBeWatched { look(after: patience) }
        queue.async(group: group) { [self] in
            state.withLock { _ = $0.completions.popFirst() }
            completion()
        }
    }

    private func look(after time: Duration) {
        let (seconds, attoseconds) = time.components
        let interval = Double(seconds) + Double(attoseconds) / 1e18
        DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [self] in look() }
    }

    private func look() {
        switch state.withLock({ $0.look(patience: patience) }) {
        case .done: break
        case .again(let time): look(after: time)
        case .warn: log(Self.warning)
        }
    }

    // MARK: Notifications

    /// Has something posted on the main queue, in order.
    func post(_ notification: MainNotification) {
        let isFirst = state.withLock { state in
            let isFirst = state.postsWaitSince == nil
            let now = ContinuousClock.now
            let since = state.postsWaitSince ?? now
            state.postsWaitSince = since
            // Most likely they will never be posted, and they hold whole bodies.
            while !state.hasPosted, state.hasManyPosts, since.duration(to: now) > patience {
                state.postedBytes -= state.posts.popFirst()?.byteCount ?? 0
            }
            state.posts.append(notification)
            state.postedBytes += notification.byteCount
            return isFirst
        }
        if isFirst { queue.async { [self] in post() } }
    }

    private func post() {
        let posts = state.withLock { state in
            (state.postsWaitSince, state.hasPosted, state.postedBytes) = (nil, true, 0)
            return state.posts.takeAll()
        }
        for post in posts { post.post() }
    }
}
