import Foundation
import TestSupport
import Testing

/// Runs the command on a full disk.
@Suite(.timeLimit(.minutes(10))) struct FullDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible), arguments: [[], ["--tar", "1G"], ["--warc"]])
    func runOnAFullDiskEndsAndResumesAfterSpaceIsFreed(kind: [String]) async throws {
        let server = try LoopbackServer { request in
            var generator = SeededGenerator(seed: UInt64(request.target.dropFirst()) ?? 0)
            return .bytes(
                [UInt8](count: 65_536) { _ in UInt8.random(in: 0...255, using: &generator) }
            )
        }
        let folder = try TemporaryDirectory()
        let disk = try TemporaryDirectory()
        try #require(SmallDisk.mount("size=300k", disk.path))
        defer { SmallDisk.unmount(disk.path) }
        let list = try folder.write(
            (0..<20).map { "\(server.url)/\($0)\n" }.joined(),
            to: "list"
        )
        let arguments =
            ["--concurrency", "1", "--output", disk.path, "--results", folder.path("results")]
            + kind + ["--journal", folder.path("journal"), list]
        let first = try await ending(arguments)
        #expect(first.status == 4, "\(first)")
        #expect(first.errors.contains("No space left on device"), "\(first.errors)")
        #expect(first.errors.contains("fix the cause"), "\(first.errors)")
        #expect(server.requestCount < 12, "the others weren't fetched for nothing")
        try #require(SmallDisk.mount("remount,size=16m", disk.path))
        let second = try await ending(arguments)
        #expect(second.status == 0, "\(second)")
        let results = try ResultLine.lines(
            String(decoding: try folder.read("results"), as: UTF8.self)
        )
        #expect(results.map(\.ordinal).sorted() == Array(1...20))
        #expect(results.allSatisfy { $0.ok })
    }

    private func ending(_ arguments: [String]) async throws -> CommandRun.Ending {
        let run = try CommandRun(arguments)
        try run.closeInput()
        return try await run.ending()
    }
}
