internal import CurlURLSession
internal import DequeModule
internal import Foundation

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
        now: ContinuousClock.Instant
    ) -> Addition {
        let isFirst = waitsSince == nil
        if isFirst { waitsSince = now }
        queue.append(notification)
        byteCount += notification.byteCount
        return Addition(isFirst: isFirst, dropped: trim(patience: patience, now: now))
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
/// Its user info is created there. It is a class, so that queues move a reference and not a task's
/// whole outcome.
final class MainNotification: Sendable {
    let name: Notification.Name
    let task: URLSessionTask
    /// The outcome of a completed task; `nil` for other notifications.
    let outcome: TaskOutcome?

    init(name: Notification.Name, task: URLSessionTask, outcome: TaskOutcome? = nil) {
        (self.name, self.task, self.outcome) = (name, task, outcome)
    }

    /// The size of the body that it retains.
    var byteCount: Int { outcome?.data?.count ?? 0 }

    func post() {
        NotificationCenter.default.post(name: name, object: task, userInfo: outcome?.userInfo)
    }
}
