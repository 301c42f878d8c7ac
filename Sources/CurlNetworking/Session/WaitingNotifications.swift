/// Notifications that wait for the main queue. They hold what tasks have come to, so there are so many at
/// most; beyond that the oldest are dropped. A pure value: nothing of it is let go of in here.
struct WaitingNotifications: Sendable {
    /// How many may wait, and how many bytes of bodies with them.
    static let most = 10_000
    static let mostBytes = 64 << 20
    /// How many of them are kept when none was posted for as long as anybody has patience.
    static let mostOld = 1000

    private var queue = WorkQueue<MainNotification>()
    private var byteCount = 0
    /// Since when none was posted, though some wait; `nil` where none has come since.
    private var waitsSince: ContinuousClock.Instant?
    private var isPosting = false

    /// What has become of one that was added.
    struct Addition: Sendable {
        /// Nobody has been asked to post yet.
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

    /// For how long none was posted; `nil` where none waits, or some are being posted.
    func age(at now: ContinuousClock.Instant) -> Duration? {
        isPosting ? nil : waitsSince.map { $0.duration(to: now) }
    }

    /// Takes out what is too much, the oldest first. The latest stays, however large it is.
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

    /// All that wait, to be posted now.
    mutating func begin() -> [MainNotification] {
        (waitsSince, byteCount, isPosting) = (nil, 0, true)
        return queue.takeAll()
    }

    /// Those were posted. Others that have come meanwhile wait from now on.
    mutating func end(now: ContinuousClock.Instant) {
        isPosting = false
        if waitsSince != nil { waitsSince = now }
    }
}
