import Foundation
import TestSupport
import Testing

/// Workers of `batchfetch fleet work` that die.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetDeathTests {
    private func fleet(
        _ arguments: [String],
        of peer: PostgresPeer
    ) async throws -> CommandRun.Ending {
        try await CommandRun.ending(["fleet"] + arguments + ["--queue", peer.address])
    }

    @Test("Results outlive a worker that is killed while the database is away")
    func resultsOutliveWorker() async throws {
        let peer = try await PostgresPeer.start()
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let folder = try TemporaryDirectory()
        let urls = (0..<2).map { "\(server.url)/\($0)" }
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let state = folder.path("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        #expect(try await fleet(["create", "may", "--discard"], of: peer).status == 0)
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        let command = ["fleet", "work", "may", "--queue", peer.address, "--state", state]
        let worker = try CommandRun(command)
        try await server.requests(count: 2)
        try await peer.crash()
        gate.open()
        try await FolderWatch.wait(in: [state]) {
            let names = (try? TemporaryDirectory.files(in: state)) ?? []
            let lines = names.compactMap {
                try? String(contentsOfFile: "\(state)/\($0)", encoding: .utf8)
            }
            return lines.joined().utf8.count { $0 == UInt8(ascii: "\n") } == 2
        }
        worker.signal(9)
        let killed = try await worker.ending()
        #expect(killed.status == -9)
        #expect(killed.errors.contains("results are kept in the folder \(state)"))
        let away = try await CommandRun.ending(command)
        #expect(away.status == 4, "\(away.errors)")
        #expect(away.errors.contains("can't connect to PostgreSQL"))
        try await peer.restart()
        let ending = try await CommandRun.ending(command)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.errors.contains("the database has taken 2 kept results"))
        #expect(ending.output.hasPrefix("2 fetched, 0 failed, 0 pending; "))
        #expect(server.requestCount == 2)
        #expect(try TemporaryDirectory.files(in: state).isEmpty)
        let lines = try ResultLine.lines(try await fleet(["export", "may"], of: peer).output)
        #expect(Set(lines.map(\.url)) == Set(urls))
        peer.stop()
    }

    @Test("A worker that was stopped beyond its lease stores nothing and leaves the host alone")
    func stoppedWorkerIsFenced() async throws {
        let peer = try await PostgresPeer.start()
        let (early, late) = (Gate(), Gate())
        let count = Watched(0)
        let server = try LoopbackServer { _ in
            let number = count.update { count in
                count += 1
                return count
            }
            return .text("x").after(number <= 2 ? early : late)
        }
        let folder = try TemporaryDirectory()
        let list = try folder.write(
            (0..<10).map { "\(server.url)/\($0)" }.joined(separator: "\n"),
            to: "list"
        )
        let options = ["--discard", "--per-host", "2"]
        #expect(try await fleet(["create", "may"] + options, of: peer).status == 0)
        #expect(try await fleet(["add", "may", list], of: peer).status == 0)
        let command = ["fleet", "work", "may", "--queue", peer.address, "--state", folder.path]
        let stopped = try CommandRun(command + ["--lease", "1s"])
        try await server.requests(count: 2)
        stopped.signal(SIGSTOP)
        // It gets the host once the lease of the other one and the pause after it have ended.
        let other = try CommandRun(command)
        try await server.requests(count: 4)
        early.open()
        stopped.signal(SIGCONT)
        for connection in 0..<2 { try await server.connectionClosed(connection) }
        late.open()
        for worker in [other, stopped] {
            let ending = try await worker.ending()
            #expect(ending.status == 0, "\(ending.errors)")
        }
        #expect(server.requestCount == 12)
        let accepted = "SELECT accepted FROM batchfetch.worker ORDER BY id"
        #expect(try peer.query(accepted) == "0\n10")
        peer.stop()
    }
}
