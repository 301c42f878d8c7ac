internal import TestSupport
internal import Testing

/// Leaks of managers, in a separate process, because other tests also use memory, threads and
/// descriptors.
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
        // Without the thread cache, which would count freed memory as allocated.
        let environment = ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"]
        let arguments = [what, server.url, String(count)]
        return try await ProbeRun("NetworkingProbe", arguments, environment: environment)
    }

    /// - Parameter each: The average number of allocated bytes for each request or manager that may
    /// remain.
    private func expectNothingLeft(_ run: ProbeRun, of count: Int, each: Int) throws {
        #expect(run.status == 0, "\(run.output)")
        func grown(_ name: String) throws -> Int {
            try #require(run.value("after." + name)) - #require(run.value("before." + name))
        }
        let connections = try grown("connections")
        #expect(try grown("descriptors") - connections == 0, "\(run.output)")
        // The number of threads of Dispatch and Swift varies.
        #expect(try grown("threads") < 16, "\(run.output)")
        #expect(try grown("allocated") < 1 << 20 + count * each, "\(run.output)")
        // The address sanitizer keeps 32 MiB of freed memory in quarantine, a cache for each thread,
        // and a byte of its own for eight of both.
        #expect(try grown("memory") < 72 << 20, "\(run.output)")
    }

    @Test("Requests of one manager leak nothing")
    func requestsLeakNothing() async throws {
        let count = Rounds.count(10_000, few: 1_000, full: 100_000)
        let run = try await run("requests", count)
        try expectNothingLeft(run, of: count, each: 8)
        #expect(run.value("tasks") == 0)
        #expect(try #require(run.value("after.connections")) <= 64)
    }

    @Test("S-20: Managers leak nothing")
    func managersLeakNothing() async throws {
        let count = Rounds.count(1_500, few: 300, full: 10_000)
        let run = try await run("managers", count)
        try expectNothingLeft(run, of: count, each: 32)
        #expect(run.value("after.connections") == 0)
    }
}
