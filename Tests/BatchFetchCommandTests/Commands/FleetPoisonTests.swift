import TestSupport
import Testing

/// A URL that kills each worker of a fleet that fetches it.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetPoisonTests {
    private func fleet(
        _ arguments: [String],
        of peer: PostgresPeer
    ) async throws -> CommandRun.Ending {
        try await CommandRun.ending(["fleet"] + arguments + ["--queue", peer.address])
    }

    @Test("A URL that kills five workers fails, and all others are fetched")
    func poisonFails() async throws {
        let peer = try await PostgresPeer.start()
        let (gate, poisoned) = (Gate(), Watched(0))
        let server = try LoopbackServer { request in
            guard request.path == "/poison" else { return .text("x") }
            poisoned.update { $0 += 1 }
            return .text("x").after(gate)
        }
        // Its requests are in flight when the workers die.
        let slow = try LoopbackServer { _ in .text("x").after(.milliseconds(300)) }
        let folder = try TemporaryDirectory()
        let poison = "\(server.url)/poison"
        let others =
            (0..<6).map { "\(server.url)/\($0)" } + (0..<6).map { "\(slow.url)/\($0)" }
        let urls = Array(others[..<3]) + [poison] + Array(others[3...])
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let options = ["--discard", "--per-host", "2"]
        #expect(try await fleet(["create", "may"] + options, of: peer).status == 0)
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        let command = [
            "work", "may", "--lease", "5s", "--state", folder.path("state"),
        ]
        for round in 1...5 {
            let worker = try CommandRun(["fleet"] + command + ["--queue", peer.address])
            _ = try await poisoned.wait { $0 == round ? true : nil }
            worker.signal(9)
            #expect(try await worker.ending().status == -9)
        }
        let ending = try await fleet(command, of: peer)
        #expect(ending.status == 1, "\(ending)")
        #expect(ending.output.contains("12 fetched, 1 failed, 0 pending"), "\(ending)")
        #expect(poisoned.read { $0 } == 5)
        let lines = try ResultLine.lines(try await fleet(["export", "may"], of: peer).output)
        #expect(lines.map(\.url).sorted() == urls.sorted())
        let failed = lines.filter { !$0.ok }
        #expect(failed.map(\.url) == [poison])
        let output = try await fleet(["export", "may"], of: peer).output
        #expect(output.contains("the worker ended 3 times while it fetched this URL"))
        gate.open()
        peer.stop()
    }
}
