internal import CurlURLSession
internal import DequeModule
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Dispatches completions and notifications to the main queue.
///
/// It warns once if they wait there for long. A program that isn't an app may never drain its main
/// queue. Completions wait without a limit; the number of waiting notifications is limited.
final class MainQueue: Sendable {
    /// The instance for the process' main queue.
    static let shared = MainQueue(patience: .seconds(5)) { warning in
        try? FileHandle.standardError.write(contentsOf: Data((warning + "\n").utf8))
    }

    /// The warning about a completion that waits.
    static let warning = """
        CurlNetworking: a completion handler has waited for the main queue for more than five \
        seconds. Unless a completionQueue is set, handlers are called on the main queue, which a \
        program has to drain: by an asynchronous main function, RunLoop.main.run() or \
        dispatchMain(). Services set the manager's completionQueue, or use the asynchronous \
        methods, which need no queue.
        """

    /// The warning about dropped notifications.
    static let dropWarning = """
        CurlNetworking: notifications of tasks were dropped, the oldest first, as too many wait for \
        the main queue, on which they are posted. At most \(WaitingNotifications.most) wait, with 64 \
        MiB of bodies, and \(WaitingNotifications.mostOld) where none was posted for five seconds. \
        A program that observes them has to drain its main queue; to others this is of no \
        consequence.
        """

    private struct State: Sendable {
        /// Since when each pending completion waits.
        var completions = Deque<ContinuousClock.Instant>()
        /// Whether a check of the pending completions is scheduled.
        var isWatched = false
        var hasWarned = false
        var posts = WaitingNotifications()
        /// Whether a check of the waiting notifications is scheduled.
        var isWatchingPosts = false
        var hasWarnedOfDrops = false

        /// Marks a check of the notifications as scheduled. Returns whether the caller has to
        /// schedule it.
        mutating func watchPosts() -> Bool {
            defer { isWatchingPosts = true }
            return !isWatchingPosts
        }

        /// Whether to warn about dropped notifications: only the first time.
        mutating func noteDrops(_ dropped: [MainNotification]) -> Bool {
            guard !dropped.isEmpty, !hasWarnedOfDrops else { return false }
            hasWarnedOfDrops = true
            return true
        }

        /// Decides what to do about pending completions when a check runs.
        mutating func look(patience: Duration) -> Look {
            guard let since = completions.first else {
                isWatched = false
                return .done
            }
            let waited = since.duration(to: .now)
            guard waited >= patience else { return .again(after: patience - waited) }
            hasWarned = true
            completions = Deque()
            return .warn
        }
    }

    /// Runs a closure after a delay.
    typealias Later = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    private enum Look {
        case done
        case again(after: Duration)
        case warn
    }

    private let queue: DispatchQueue
    private let patience: Duration
    private let later: Later
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - queue: The queue to dispatch to.
    ///   - patience: How long completions may wait before the warning, and notifications before
    ///     most of them are dropped.
    ///   - later: Schedules the checks.
    ///   - log: Called with each of the two warnings, on any thread, at most once.
    init(
        queue: DispatchQueue = .main,
        patience: Duration,
        later: @escaping Later = MainQueue.later,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.queue = queue
        self.patience = patience
        self.later = later
        self.log = log
    }

    // MARK: Completions

    /// Calls a completion on the main queue, as a member of a group.
    ///
    /// - Parameter isAwaited: Whether a consumer waits for the completion; only then is it watched.
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
        later(time) { [self] in look() }
    }

    static let later: Later = { time, work in
        let (seconds, attoseconds) = time.components
        let interval = Double(seconds) + Double(attoseconds) / 1e18
        DispatchQueue.global().asyncAfter(deadline: .now() + interval, execute: work)
    }

    private func look() {
        switch state.withLock({ $0.look(patience: patience) }) {
        case .done: break
        case .again(let time): look(after: time)
        case .warn: log(Self.warning)
        }
    }

    // MARK: Notifications

    /// Posts a notification on the main queue, unless too many are waiting. They are posted in
    /// order.
    func post(_ notification: MainNotification) {
        let (addition, isToBeWatched, warns) = state.withLock { state in
            let addition = state.posts.append(notification, patience: patience, now: .now)
            return (
                addition, addition.isFirst && state.watchPosts(),
                state.noteDrops(addition.dropped)
            )
        }
        if addition.isFirst { queue.async { [self] in post() } }
        if isToBeWatched { lookAtPosts(after: patience) }
        if warns { log(Self.dropWarning) }
        extendLifetime(addition)
    }

    private func post() {
        for post in state.withLock({ $0.posts.begin() }) { post.post() }
        let isToBeWatched = state.withLock { state in
            state.posts.end(now: .now)
            return state.posts.age(at: .now) != nil && state.watchPosts()
        }
        if isToBeWatched { lookAtPosts(after: patience) }
    }

    private func lookAtPosts(after time: Duration) {
        later(time) { [self] in lookAtPosts() }
    }

    /// Drops most notifications that have waited for long. The main queue may never be drained, and
    /// no later call may come to drop them.
    private func lookAtPosts() {
        let (dropped, rest, warns) = state.withLock { state in
            let now = ContinuousClock.now
            state.isWatchingPosts = false
            let dropped = state.posts.trim(patience: patience, now: now)
            let rest = state.posts.age(at: now).map { patience - $0 } ?? .zero
            if rest > .zero { state.isWatchingPosts = true }
            return (dropped, rest, state.noteDrops(dropped))
        }
        if rest > .zero { lookAtPosts(after: rest) }
        if warns { log(Self.dropWarning) }
        extendLifetime(dropped)
    }
}

/// The notifications that wait for the main queue: a pure value.
///
/// They retain the outcomes of tasks, so their number is limited; beyond the limit the oldest are
/// dropped. Dropped ones are returned, so that the caller releases them outside of its lock.
struct WaitingNotifications: Sendable {
    /// The maximum number of notifications, and of bytes of their bodies (64 MiB).
    static let most = 10_000
    static let mostBytes = 64 << 20
    /// The maximum number if no notification was posted for as long as `patience`.
    static let mostOld = 1000

    private var queue = Deque<MainNotification>()
    private var byteCount = 0
    /// Since when notifications wait without one being posted; `nil` if none waits.
    private var waitsSince: ContinuousClock.Instant?
    private var isPosting = false

    /// The result of an append.
    struct Addition: Sendable {
        /// Whether the caller has to schedule the posting.
        let isFirst: Bool
        let dropped: [MainNotification]
    }

    mutating func append(
        _ notification: MainNotification,
        patience: Duration,
        now: @autoclosure () -> ContinuousClock.Instant
    ) -> Addition {
        let isFirst = waitsSince == nil
        if isFirst { waitsSince = now() }
        queue.append(notification)
        byteCount += notification.byteCount
        let mayExceed = queue.count > Self.mostOld || byteCount > Self.mostBytes
        let dropped = mayExceed ? trim(patience: patience, now: now()) : []
        return Addition(isFirst: isFirst, dropped: dropped)
    }

    /// How long no notification was posted; `nil` if none waits, or if some are being posted.
    func age(at now: ContinuousClock.Instant) -> Duration? {
        isPosting ? nil : waitsSince.map { $0.duration(to: now) }
    }

    /// Removes notifications beyond the limits, the oldest first. The newest stays, whatever its
    /// size.
    mutating func trim(patience: Duration, now: ContinuousClock.Instant) -> [MainNotification] {
        let isOld = age(at: now).map { $0 >= patience } ?? false
        let limit = isOld ? Self.mostOld : Self.most
        var dropped: [MainNotification] = []
        while queue.count > limit || (byteCount > Self.mostBytes && queue.count > 1) {
            guard let oldest = queue.popFirst() else { break }
            byteCount -= oldest.byteCount
            dropped.append(oldest)
        }
        return dropped
    }

    /// Takes all waiting notifications, to post them now.
    mutating func begin() -> [MainNotification] {
        (waitsSince, byteCount, isPosting) = (nil, 0, true)
        defer { queue = Deque() }
        return Array(queue)
    }

    /// Ends the posting. Notifications that were added meanwhile wait from now on.
    mutating func end(now: ContinuousClock.Instant) {
        isPosting = false
        if waitsSince != nil { waitsSince = now }
    }
}

/// A notification about a task, to post on the main queue.
///
/// Its user info is created there.
struct MainNotification: Sendable {
    let name: Notification.Name
    let task: URLSessionTask
    /// The outcome of a completed task; `nil` for other notifications.
    let outcome: TaskOutcome?
    /// The size of the body that it retains.
    let byteCount: Int

    init(name: Notification.Name, task: URLSessionTask, outcome: TaskOutcome? = nil) {
        (self.name, self.task, self.outcome) = (name, task, outcome)
        byteCount = outcome?.data?.count ?? 0
    }

    func post() {
        NotificationCenter.default.post(
            name: name,
            object: task,
            userInfo: outcome.map { CompletionUserInfo.of($0) }
        )
    }
}

// MARK: - AFNetworking's notifications

extension MainQueue {
    /// Posts the notification that a task has completed.
    func postCompletion(of task: URLSessionTask, _ outcome: TaskOutcome) {
        post(MainNotification(name: .networkingTaskDidComplete, task: task, outcome: outcome))
    }

    /// Posts the notification of a manager's event, if it has one.
    ///
    /// Notifications of a task's state are posted on the main queue, in order, the others at once.
    func postNotification(of event: SessionEvent) {
        let center = NotificationCenter.default
        switch event {
        case .didResume(let task):
            post(MainNotification(name: .networkingTaskDidResume, task: task))
        case .didSuspend(let task):
            post(MainNotification(name: .networkingTaskDidSuspend, task: task))
        case .didComplete(let task, let outcome):
            postCompletion(of: task, outcome)
        case .didMoveFile(let task, _):
            center.post(name: .urlSessionDownloadTaskDidMoveFileSuccessfully, object: task)
        case .didFailToMoveFile(let task, _, let error):
            var info: [AnyHashable: Any] = (error as NSError).userInfo
            info[URLSessionDownloadTaskDidFailToMoveFileErrorKey] = error as NSError
            center.post(
                name: .urlSessionDownloadTaskDidFailToMoveFile,
                object: task,
                userInfo: info
            )
        case .didBecomeInvalid(let session, _):
            center.post(name: .urlSessionDidInvalidate, object: session)
        default:
            break
        }
    }
}
