import Posix
import TestSupport
import Testing

@testable import BatchFleet

/// Limits of hosts that several workers have one after the other.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetPolitenessTests {
    /// What a host that requests pauses has seen.
    private struct Seen {
        var requests = 0
        /// When the last requested pause ends.
        var pausedUntil: MonotonicTime?
        var early = 0
        var pauses = 0
    }

    @Test("No worker sends a request to a host within the pause that it has requested")
    func requestedPauseHoldsForAll() async throws {
        let seen = Watched(Seen())
        let server = try LoopbackServer { _ in
            seen.update { seen in
                let now = MonotonicTime.now
                if let end = seen.pausedUntil, now < end { seen.early += 1 }
                seen.requests += 1
                // The first and the fifth request.
                guard seen.requests % 4 == 1, seen.pauses < 2 else { return .text("x") }
                seen.pauses += 1
                seen.pausedUntil = now.advanced(by: .seconds(3))
                return .status(429).header("Retry-After", "3")
            }
        }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<8).map { "\(server.url)/\($0)" })
            // Owners of the host end within its pauses, while others wait for it.
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await fixture.work("first", perHost: 1) { worker in
                        async let working: Void = worker.work()
                        _ = try await seen.wait { $0.pauses == 1 ? true : nil }
                        worker.stop()
                        try await working
                    }
                    try await fixture.work("third", perHost: 1) { try await $0.work() }
                }
                group.addTask {
                    _ = try await seen.wait { $0.pauses == 1 ? true : nil }
                    try await fixture.work("second", perHost: 1) { worker in
                        async let working: Void = worker.work()
                        _ = try await seen.wait { $0.pauses == 2 ? true : nil }
                        worker.stop()
                        try await working
                    }
                    try await fixture.work("fourth", perHost: 1) { try await $0.work() }
                }
                try await group.waitForAll()
            }
            #expect(seen.read { $0.pauses } == 2)
            #expect(seen.read { $0.early } == 0)
            let lines = try await fixture.lines()
            #expect(lines.count == 8)
            #expect(lines.allSatisfy { $0.contains("\"ok\":true") })
        }
    }

    @Test("Redirects between hosts of two workers continue at the other's host, and loops end")
    func redirectsCrossWorkers() async throws {
        let gate = Gate()
        let urls = Watched<[String]>([])
        let servers = try (0..<2).map { number in
            try LoopbackServer { request in
                let other = urls.read { $0.count == 2 ? $0[1 - number] : "" }
                let reply: Reply =
                    switch request.path {
                    case "/away": .redirect(to: other + "/end")
                    case "/loop": .redirect(to: other + "/loop")
                    default: .text("end of \(number)")
                    }
                return reply.after(gate)
            }
        }
        urls.update { $0 = servers.map(\.url) }
        try await FleetFixture.use { fixture in
            try await fixture.add(["\(servers[0].url)/away", "\(servers[0].url)/loop"])
            // The first worker needs no further host, so it leaves the other one to the second.
            try await fixture.work("first", concurrency: 1, perHost: 1) { first in
                async let firstWorking: Void = first.work()
                try await servers[0].requests(count: 1)
                try await fixture.add(["\(servers[1].url)/away"])
                try await fixture.work("second") { second in
                    async let secondWorking: Void = second.work()
                    try await servers[1].requests(count: 1)
                    let owners =
                        "SELECT count(DISTINCT lease_owner) FROM batchfetch.host "
                        + "WHERE lease_owner IS NOT NULL"
                    #expect(try fixture.peer.query(owners) == "2")
                    gate.open()
                    try await secondWorking
                }
                try await firstWorking
            }
            let lines = try await fixture.lines()
            #expect(lines.count == 3)
            let ends = lines.filter { $0.contains("/end") }
            #expect(ends.count == 2)
            #expect(ends.allSatisfy { $0.contains("\"ok\":true") })
            let loop = try #require(lines.first { !$0.contains("/end") })
            #expect(loop.contains("too_many_redirects"), "\(loop)")
            // Twenty redirects are followed, and each request was sent once.
            let requests = servers.map(\.requestCount).reduce(0, +)
            #expect(requests == 2 * 2 + 21)
            let counts = try await fixture.store.counts(of: fixture.run)
            #expect(counts.pending == 0)
        }
    }

    @Test("The next worker knows that a host was failing, and a success removes that")
    func failuresOutliveWorker() async throws {
        let isFailing = Watched(true)
        let count = Watched(0)
        let gate = Gate()
        let server = try LoopbackServer { _ in
            guard isFailing.read({ $0 }) else { return .text("x") }
            // Otherwise the URLs could use up their attempts before the worker is stopped.
            let number = count.update { count in
                count += 1
                return count
            }
            return number < 3 ? .status(503) : .status(503).after(gate)
        }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<3).map { "\(server.url)/\($0)" })
            try await fixture.work("first", perHost: 1) { worker in
                async let working: Void = worker.work()
                try await server.requests(count: 3)
                worker.stop()
                gate.open()
                try await working
            }
            let state = try fixture.peer.query("SELECT feedback FROM batchfetch.host")
            #expect(state.contains("\"failures\":"), "\(state)")
            isFailing.update { $0 = false }
            try await fixture.work("second", perHost: 1) { try await $0.work() }
            #expect(try await fixture.lines().count == 3)
            let rest = try fixture.peer.query("SELECT feedback FROM batchfetch.host")
            #expect(rest == "")
        }
    }

    @Test("The next worker obeys the robots.txt that an earlier one has read, without a request")
    func robotsPassToNextWorker() async throws {
        let starts = Watched<[MonotonicTime]>([])
        let robotsCount = Watched(0)
        let server = try LoopbackServer { request in
            if request.path == "/robots.txt" {
                robotsCount.update { $0 += 1 }
                return .text("User-agent: *\nDisallow: /private\nCrawl-delay: 1\n")
            }
            starts.update { $0.append(.now) }
            return .text("x")
        }
        try await FleetFixture.use { fixture in
            try await fixture.add((0..<3).map { "\(server.url)/\($0)" })
            try await fixture.work("first", obeysRobots: true) { worker in
                async let working: Void = worker.work()
                _ = try await starts.wait { $0.isEmpty ? nil : true }
                worker.stop()
                try await working
            }
            try await fixture.add(["\(server.url)/private/0"])
            try await fixture.work("second", obeysRobots: true) { try await $0.work() }
            #expect(robotsCount.read { $0 } == 1)
            let times = starts.read { $0 }
            #expect(times.count == 3)
            for (last, next) in zip(times, times.dropFirst()) {
                #expect(next.nanoseconds(since: last) > 800_000_000)
            }
            let lines = try await fixture.lines()
            #expect(lines.count == 4)
            let private0 = try #require(lines.first { $0.contains("/private/0") })
            #expect(private0.contains("\"code\":\"robots\""), "\(private0)")
        }
    }

    @Test("A worker stores the robots.txt that it has read while it has the host")
    func robotsOutliveWorker() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path == "/robots.txt" else { return .text("x").after(gate) }
            return .text("User-agent: *\nDisallow: /private\n")
        }
        try await FleetFixture.use { fixture in
            try await fixture.add(["\(server.url)/0"])
            try await fixture.work("worker", obeysRobots: true) { worker in
                async let working: Void = worker.work()
                let stored =
                    "SELECT robots FROM batchfetch.host WHERE lease_owner IS NOT NULL "
                    + "AND robots_until > now() + interval '20 hours'"
                try await Inspection.wait {
                    (try? fixture.peer.query(stored))?.contains("\"-/private\"") ?? false
                }
                gate.open()
                try await working
            }
            #expect(try await fixture.lines().count == 1)
        }
    }
}
