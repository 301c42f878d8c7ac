import Foundation
import TestSupport
import Testing

/// The command on a disk that is full.
@Suite(.timeLimit(.minutes(10))) struct FullDiskTests {
    /// Mounting is root's, and not everywhere.
    static func mount(_ options: String, _ path: String) -> Bool {
        guard geteuid() == 0, let mount = Executable.path("mount") else { return false }
        let result = try? ChildProcess.run([mount, "-t", "tmpfs", "-o", options, "none", path])
        return result?.status == 0
    }

    static let isPossible: Bool = {
        guard let folder = try? TemporaryDirectory(), mount("size=64k", folder.path) else {
            return false
        }
        unmount(folder.path)
        return true
    }()

    static func unmount(_ path: String) {
        guard let unmount = Executable.path("umount") else { return }
        _ = try? ChildProcess.run([unmount, "-l", path])
    }

    @Test(.enabled(if: isPossible), arguments: [[], ["--tar", "1G"], ["--warc"]])
    func aRunThatFillsItsDiskEndsAndGoesOnOnceThereIsRoom(kind: [String]) async throws {
        let server = try LoopbackServer { request in
            var generator = SeededGenerator(seed: UInt64(request.target.dropFirst()) ?? 0)
            return .bytes(
                [UInt8](count: 65_536) { _ in UInt8.random(in: 0...255, using: &generator) }
            )
        }
        let folder = try TemporaryDirectory()
        let disk = try TemporaryDirectory()
        try #require(Self.mount("size=300k", disk.path))
        defer { Self.unmount(disk.path) }
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
        #expect(first.errors.contains("make room"), "\(first.errors)")
        #expect(server.requestCount < 12, "the others weren't fetched for nothing")
        try #require(Self.mount("remount,size=16m", disk.path))
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
