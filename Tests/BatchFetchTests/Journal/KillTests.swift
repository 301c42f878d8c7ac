import Foundation
import TestSupport
import Testing

/// The command, killed at any moment and started again.
@Suite(.timeLimit(.minutes(60))) struct KillTests {
    @Test func aKilledRunGoesOnAndLosesNothing() async throws {
        let kills = Rounds.count(6, few: 2, full: 200)
        let urlsPerRun = Rounds.count(300, few: 100, full: 5000)
        var generator = SeededGenerator(seed: 7)
        var done = 0
        while done < kills {
            done += try await killedRun(urls: urlsPerRun, atMost: kills - done, &generator)
        }
    }

    /// One list, fetched in as many runs as it takes; returns how many were killed.
    private func killedRun(
        urls count: Int,
        atMost kills: Int,
        _ generator: inout SeededGenerator
    ) async throws -> Int {
        let server = try LoopbackServer { request in
            request.target.hasSuffix("7")
                ? .text("no", status: 404) : .text("body of \(request.target)")
        }
        let folder = try TemporaryDirectory()
        let urls = (0..<count).map { "\(server.url)/\($0)" }
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let arguments = [
            "--concurrency", "8", "--per-host", "8", "--output", folder.path("out"),
            "--results", folder.path("results"), "--journal", folder.path("journal"),
            "--journal-interval", "5", list,
        ]
        var killed = 0
        var finished = Set<String>()
        while true {
            let before = server.requestCount
            let mayKill = killed < min(kills, 4)
            let run = try CommandRun(arguments)
            try run.closeInput()
            if mayKill {
                let left = count - finished.count
                let more = Int.random(in: 0...max(1, left * 2 / 3), using: &generator)
                try? await server.requests(count: before + min(more, max(0, left - 20)))
                run.signal(SIGKILL)
            }
            let ending = try await run.ending()
            let again = server.requests[before...].map { server.url + $0.target }
            #expect(finished.isDisjoint(with: again), "fetched twice")
            if mayKill, ending.status == -SIGKILL { killed += 1 }
            guard ending.status == -SIGKILL else {
                #expect(ending.status == 1, "\(ending)")
                break
            }
            finished = Set(try wholeLines(folder).map(\.url))
        }
        let results = try wholeLines(folder)
        #expect(results.count == count)
        #expect(Set(results.map(\.url)) == Set(urls))
        for result in results where result.ok {
            let path = try #require(result.path)
            let full = path.hasPrefix("/") ? path : folder.path("out/" + path)
            let body = try Data(contentsOf: URL(fileURLWithPath: full))
            let target = result.url.dropFirst(server.url.count)
            #expect(String(decoding: body, as: UTF8.self) == "body of \(target)")
        }
        #expect(results.count { !$0.ok } == count / 10)
        return max(1, killed)
    }

    /// The results, without a last line that is torn.
    private func wholeLines(_ folder: TemporaryDirectory) throws -> [ResultLine] {
        guard let bytes = try? folder.read("results") else { return [] }
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return try ResultLine.lines(String(decoding: bytes[..<end], as: UTF8.self))
    }
}
