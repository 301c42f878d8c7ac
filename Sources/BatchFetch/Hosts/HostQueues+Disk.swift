/// Items queued on disk.
extension HostQueues {
    /// Whether any host may have an item to start.
    var hasReadyHosts: Bool { !readyHosts.isEmpty }

    /// Whether the queue of any host ran low.
    var hasLowQueues: Bool { !lowQueues.isEmpty }

    /// Removes and returns the hosts whose queue ran low. Each host for which ``room(for:)`` was
    /// zero is returned eventually.
    mutating func takeLowQueues() -> [String] {
        defer { lowQueues = [] }
        return lowQueues
    }

    /// The number of items that may be added to a host's queue.
    ///
    /// It applies to hosts with items on disk, whose queue holds twice their concurrency limit.
    func room(for key: String) -> Int {
        guard let slot = slots[key] else { return Self.quota(policies[key].concurrency) }
        return max(0, Self.quota(hosts[slot]) - hosts[slot].waiting.count)
    }

    /// Removes and returns the items beyond each host's share, in order.
    ///
    /// They are taken from the end of the host's queue, up to the first item that isn't movable.
    mutating func removeExcess(where isMovable: (Item) -> Bool) -> [Item] {
        var items: [Item] = []
        for slot in hosts.indices {
            let quota = Self.quota(hosts[slot])
            var excess: [Item] = []
            while hosts[slot].waiting.count > quota, let last = hosts[slot].waiting.last,
                isMovable(last), let item = hosts[slot].waiting.popLast()
            {
                excess.append(item)
            }
            waitingCount -= excess.count
            items += excess.reversed()
        }
        return items
    }

    private static func quota(_ host: Host) -> Int { quota(host.state.concurrency) }

    private static func quota(_ concurrency: Int) -> Int { 2 * max(1, min(concurrency, 4096)) }

    /// Records a host whose queue is half full, or empty.
    ///
    /// Half means half of its share. An empty queue is recorded again because the share may have
    /// changed.
    mutating func noteLowQueue(_ slot: Int) {
        guard recordsLowQueues else { return }
        let count = hosts[slot].waiting.count
        if count == 0 || count * 2 == Self.quota(hosts[slot]) { lowQueues.append(hosts[slot].key) }
    }
}
