internal import TestSupport
internal import Testing

/// What managers leave behind in their process, which is one of its own: other tests have memory,
/// threads and descriptors, too.
@Suite(.timeLimit(.minutes(30))) struct ManagerProcessTests {
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.path == "/missing"
                ? .text("not here", status: 404)
                : Reply(
                    headers: [("Content-Type", "application/json")],
                    body: .bytes(Array(#"{"name":"value"}"#.utf8))
                )
        }
    }

    private func run(_ what: String, _ count: Int) async throws -> ProbeRun {
        let server = try Self.server()
        // Nothing that was freed is kept for its thread's next use: it would count as allocated.
        let environment = ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
        let arguments = [what, server.url, String(count)]
        return try await ProbeRun("NetworkingProbe", arguments, environment: environment)
    }

    /// - Parameter each: How many bytes of what was allocated may be left of each, on average.
    private func expectNothingLeft(_ run: ProbeRun, of count: Int, each: Int) throws {
        #expect(run.status == 0, "\(run.output)")
        func grown(_ name: String) throws -> Int {
            try #require(run.value("after." + name)) - #require(run.value("before." + name))
        }
        let connections = try grown("connections")
        #expect(try grown("descriptors") - connections == 0, "\(run.output)")
        // Dispatch's and Swift's come and go.
        #expect(try grown("threads") < 16, "\(run.output)")
        #expect(try grown("allocated") < 1 << 20 + count * each, "\(run.output)")
        // The address sanitizer keeps 32 MiB of what was freed aside.
        #expect(try grown("memory") < 40 << 20, "\(run.output)")
    }

    @Test("Requests of one manager leave nothing behind")
    func requestsLeaveNothingBehind() async throws {
        let count = Rounds.count(10_000, few: 1_000, full: 100_000)
        let run = try await run("requests", count)
        try expectNothingLeft(run, of: count, each: 8)
        #expect(run.value("tasks") == 0)
        #expect(try #require(run.value("after.connections")) <= 64)
    }

    @Test("S-20: Managers that come and go leave nothing behind")
    func managersLeaveNothingBehind() async throws {
        let count = Rounds.count(1_500, few: 300, full: 10_000)
        let run = try await run("managers", count)
        try expectNothingLeft(run, of: count, each: 32)
        #expect(run.value("after.connections") == 0)
    }
}
