import BatchFleet
import TestSupport
import Testing

/// A server with the tables of fleets, and a run in it.
struct FleetFixture: Sendable {
    let peer: PostgresPeer
    let store: FleetStore
    let run: FleetRun

    /// Runs `body` with a fixture, and ends its server.
    static func use(_ body: (FleetFixture) async throws -> Void) async throws {
        let peer = try await PostgresPeer.start()
        let connection = try PostgresConnection(PostgresOptions(address: peer.address))
        do {
            let store = FleetStore(connection)
            try await store.install()
            let run = try await store.create("run", options: "{}")
            try await body(FleetFixture(peer: peer, store: store, run: run))
        } catch {
            connection.close()
            throw error
        }
        connection.close()
        peer.stop()
    }

    /// URLs of a host with the numbers of a range.
    static func entries(_ host: String, _ numbers: Range<Int>) -> [FleetEntry] {
        numbers.map { number in
            FleetEntry(host: host, key: key(number), url: "http://\(host)/\(number)")
        }
    }

    /// The key of a number.
    static func key(_ number: Int) -> String {
        let digits = String(number)
        let zeros = String(repeating: "0", count: 12 - digits.count)
        return "00000000-0000-4000-8000-" + zeros + digits
    }

    /// Makes all leases end now, as if their time had passed.
    func endLeases() throws {
        _ = try peer.query("UPDATE batchfetch.host SET available_at = '-infinity'")
    }

    /// Leases all hosts that are available, and returns them by their names.
    func lease(for worker: Int) async throws -> [String: HostLease] {
        let hosts = try await store.lease(100, of: run, for: worker, lasting: .seconds(60))
        return Dictionary(uniqueKeysWithValues: hosts.map { ($0.name, $0.lease) })
    }

    /// Adds URLs of the hosts `a` and `b`, so many of each, and leases both.
    func leaseTwo(_ aCount: Int, _ bCount: Int) async throws -> (a: HostLease, b: HostLease) {
        _ = try await store.add(Self.entries("a", 0..<aCount), to: run)
        _ = try await store.add(Self.entries("b", 0..<bCount), to: run)
        let leases = try await lease(for: 1)
        return (try #require(leases["a"]), try #require(leases["b"]))
    }

    /// The first URLs in the queue of a host.
    func queue(of lease: HostLease) async throws -> [QueuedURL] {
        try await store.slice([lease: SliceBounds(limit: 1000)])
    }

    /// A report of a redirect that leads from the first URL of a host to another host.
    static func redirect(_ lease: HostLease, to target: String) -> FleetReport {
        var report = FleetReport()
        let move = FleetReport.Move(
            lease: lease,
            key: key(0),
            target: target,
            url: "http://\(target)/"
        )
        report.moves = [move]
        return report
    }

    /// A report of results with the lines `worker number`.
    static func report(
        _ lease: HostLease,
        _ urls: [QueuedURL],
        by worker: Int,
        isFetched: Bool = true
    ) -> FleetReport {
        var report = FleetReport()
        report.completions = urls.map { url in
            FleetReport.Completion(
                lease: lease,
                key: url.key,
                isFetched: isFetched,
                line: "\(worker) \(url.url)",
                place: url.place
            )
        }
        return report
    }

    /// All lines of results, sorted.
    func lines() async throws -> [String] {
        var lines: [String] = []
        try await store.export(run, portion: 7) { lines += $0 }
        return lines.sorted()
    }
}
