/// One loop's use of the limits that all loops share.
struct SharedLimits {
    private let loop: EventLoop
    private let shared: SharedResources

    /// Whether a place of a limit may be reserved for this loop.
    private(set) var hasReservedPlaces = false

    /// The transfers of this loop whose decoders wait for memory.
    var decoders = DecoderQueue()

    /// The number of transfers queued here that was last published to the other loops.
    private var announcedQueue = 0

    init(loop: EventLoop, shared: SharedResources) {
        self.loop = loop
        self.shared = shared
    }

    // MARK: Places

    func takePlace() -> Scheduler.Permit {
        shared.places?.take(for: loop) ?? true ? .granted : .refused
    }

    func releasePlace() {
        shared.places?.release()
    }

    func takeLookup() -> Scheduler.Permit {
        shared.lookups.take(for: loop) ? .granted : .refused
    }

    func releaseLookup() {
        shared.lookups.release()
    }

    /// Records that a place may be reserved for this loop.
    mutating func placeReserved() {
        hasReservedPlaces = true
    }

    /// Returns places that were reserved for this loop and that it didn't need.
    mutating func releaseReserved() {
        hasReservedPlaces = false
        shared.places?.releaseReserved(for: loop)
        shared.lookups.releaseReserved(for: loop)
    }

    // MARK: Queue

    /// Publishes the number of transfers queued here to the other loops.
    ///
    /// Returns whether all loops together queue more than allowed.
    @discardableResult
    mutating func announceQueue(of count: Int) -> Bool {
        guard let queue = shared.queue else { return false }
        queue.change(by: count - announcedQueue)
        announcedQueue = count
        return queue.isExceeded
    }
}
