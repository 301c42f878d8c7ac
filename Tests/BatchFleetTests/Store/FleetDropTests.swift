import TestSupport
import Testing

@testable import BatchFleet

/// Runs that are dropped, or whose URLs are queued again, while others change them.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetDropTests {
    private static let rows =
        "SELECT (SELECT count(*) FROM batchfetch.url), (SELECT count(*) FROM batchfetch.result), "
        + "(SELECT count(*) FROM batchfetch.host), (SELECT count(*) FROM batchfetch.run)"

    @Test(
        "URLs of a new or a known host that are added during a drop leave no rows",
        arguments: [false, true]
    )
    func addedURLsAreDropped(isKnown: Bool) async throws {
        try await FleetFixture.use { fixture in
            let run = fixture.run
            _ = try await fixture.store.add(FleetFixture.entries("a", 0..<2), to: run)
            try fixture.block("INSERT ON batchfetch.url")
            try await fixture.withBlock { other, open in
                let host = isKnown ? "a" : "b"
                async let added = other.add(FleetFixture.entries(host, 5..<8), to: run)
                try await fixture.waitForBlocked(1)
                async let dropped: Void = fixture.store.drop(run)
                try await fixture.waitForBlocked(2)
                try await open()
                #expect(try await added == 3)
                try await dropped
            }
            #expect(try fixture.peer.query(Self.rows) == "0|0|0|0")
        }
    }

    @Test("Failed URLs of a host are queued again by one command after the other")
    func retriesWaitForEachOther() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<3), to: run)
            let lease = try #require(try await fixture.lease(for: 1)["a"])
            let urls = try await fixture.queue(of: lease)
            var report = FleetReport()
            report.completions = urls.map {
                FleetReport.Completion(lease: lease, key: $0.key, isFetched: false, line: "{}")
            }
            _ = try await store.accept(report, of: run, from: 1)
            try fixture.block("DELETE ON batchfetch.result")
            try await fixture.withBlock { other, open in
                async let first = store.retryFailed(run)
                try await fixture.waitForBlocked(1)
                async let second = other.retryFailed(run)
                // The second one waits before it has read a row.
                try await Inspection.wait {
                    let locks =
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                    return (try? fixture.peer.query(locks)) == "2"
                }
                try await open()
                #expect(try await first == 3)
                #expect(try await second == 0)
            }
            #expect(try await store.counts(of: run).pending == 3)
        }
    }

    @Test("The result of a redirect isn't stored once its first host is being removed")
    func resultIsRefusedDuringDrop() async throws {
        try await FleetFixture.use { fixture in
            let (store, run) = (fixture.store, fixture.run)
            _ = try await store.add(FleetFixture.entries("a", 0..<1), to: run)
            let first = try #require(try await fixture.lease(for: 1)["a"])
            let report = FleetFixture.redirect(first, to: "b")
            _ = try await store.accept(report, of: run, from: 1)
            let second = try #require(try await fixture.lease(for: 2)["b"])
            let urls = try await fixture.queue(of: second)
            #expect(urls.map(\.url) == ["http://b/"])
            // The first host is removed first.
            try fixture.block("DELETE ON batchfetch.host")
            try await fixture.withBlock { other, open in
                async let dropped: Void = store.drop(run)
                try await fixture.waitForBlocked(1)
                let isOver = Watched(false)
                async let held = {
                    defer { isOver.update { $0 = true } }
                    let report = FleetFixture.report(second, urls, by: 2)
                    return try await other.accept(report, of: run, from: 2)
                }()
                try await Inspection.wait {
                    isOver.read { $0 } || fixture.blockedCount == 2
                }
                try await open()
                #expect(try await held.isEmpty)
                try await dropped
            }
            #expect(try fixture.peer.query(Self.rows) == "0|0|0|0")
        }
    }
}
