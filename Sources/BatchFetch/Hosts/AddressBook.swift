internal import DequeModule
import Posix

/// The known IP addresses of hosts. Pure: the caller passes the current time.
struct AddressBook: Sendable {
    /// The maximum number of hosts; beyond it the oldest are looked up again.
    private static let capacity = 4096
    /// How long the addresses of a host are used for URLs that arrive later.
    private static let lifetime = Duration.seconds(60)

    /// The configured addresses of hosts with their ports, which replace lookups.
    private let overrides: [String: [String]]
    private var entries: [String: (addresses: [String], end: MonotonicTime)] = [:]
    private var order = Deque<String>()
    /// Hosts that must be looked up.
    private var unknown: [String] = []
    /// The waiting places, by their host.
    private var waiting: [String: [Int]] = [:]

    init(overrides: [String: [String]] = [:]) {
        self.overrides = overrides
    }

    /// The addresses of a host. If they aren't known, `place` waits for ``learn(_:of:at:)``.
    ///
    /// - Parameters:
    ///   - key: The host with its port.
    ///   - place: The number by which the caller knows the host with its port.
    mutating func addresses(
        ofKey key: String,
        for place: Int,
        at now: MonotonicTime
    ) -> [String]? {
        if let fixed = overrides[key] { return fixed }
        let host = HostName.host(ofKey: key)
        if NumericAddress.kind(of: host) != nil { return [host] }
        if let entry = entries[host], entry.end > now { return entry.addresses }
        if waiting[host] == nil { unknown.append(host) }
        waiting[host, default: []].append(place)
        return nil
    }

    /// Removes and returns the hosts to look up. Each is returned once.
    mutating func takeUnknown() -> [String] {
        guard !unknown.isEmpty else { return [] }
        defer { unknown = [] }
        return unknown
    }

    /// Records the addresses of a host, none if it has none; returns the places that wait for them.
    mutating func learn(_ addresses: [String], of host: String, at now: MonotonicTime) -> [Int] {
        let entry = (addresses, now.advanced(by: Self.lifetime))
        if entries.updateValue(entry, forKey: host) == nil { order.append(host) }
        while entries.count > Self.capacity, let oldest = order.popFirst() {
            entries[oldest] = nil
        }
        return waiting.removeValue(forKey: host) ?? []
    }

    /// Forgets which places wait.
    mutating func removeAllWaiting() {
        waiting = [:]
        unknown = []
    }
}
