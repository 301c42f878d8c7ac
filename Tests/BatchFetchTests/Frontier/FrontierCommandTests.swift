import Foundation
import TestSupport
import Testing

/// Runs the command on lists that are sorted by host.
@Suite(.timeLimit(.minutes(10))) struct FrontierCommandTests {
    private static let count = 12_000

    private let gate: Gate
    private let slow: LoopbackServer
    private let quick: LoopbackServer
    private let folder: TemporaryDirectory
    private let list: String

    init() throws {
        let gate = Gate()
        self.gate = gate
        slow = try LoopbackServer { _ in .text("slow").after(gate) }
        quick = try LoopbackServer { _ in .text("quick") }
        folder = try TemporaryDirectory()
        let (slow, quick) = (slow.url, quick.url)
        let lines =
            (0..<Self.count).map { "\(slow)/\($0)\n" } + (0..<100).map { "\(quick)/\($0)\n" }
        list = try folder.write(lines.joined(), to: "list")
    }

    private func run(temporary path: String) throws -> CommandRun {
        let run = try CommandRun(
            program: "/usr/bin/env",
            [
                "TMPDIR=\(path)", CommandRun.executable(), "--log-level", "info",
                "--per-host", "32", "--grace", "0", "--stall-timeout", "600",
                "--journal", folder.path("journal"), "--results", folder.path("results"), list,
            ]
        )
        try run.closeInput()
        return run
    }

    private func ordinals() throws -> [Int] {
        let text = String(decoding: try folder.read("results"), as: UTF8.self)
        return try ResultLine.lines(text).map(\.ordinal)
    }

    /// A killed run leaves no temporary file, and the next run resumes it.
    @Test(arguments: [SIGKILL, SIGTERM])
    func runWithASpilledQueueResumesAfterAnyEnd(signal: Int32) async throws {
        let temporary = try TemporaryDirectory()
        let first = try run(temporary: temporary.path)
        try await quick.requests(count: 100)
        first.signal(signal)
        let ending = try await first.ending()
        #expect(ending.status == (signal == SIGKILL ? -SIGKILL : 128 + SIGTERM), "\(ending)")
        #expect(try temporary.contents().isEmpty)
        gate.open()
        let second = try await run(temporary: temporary.path).ending()
        #expect(second.status == 0, "\(second)")
        #expect(try temporary.contents().isEmpty)
        #expect(try ordinals().sorted() == Array(1...Self.count + 100))
    }

    /// The thread sanitizer maps a file in that folder, and aborts if the disk is full.
    private static let mayBeFull = SmallDisk.isPossible && Rounds.count(1, few: 0) == 1

    /// The command fetches the URLs that it had read; it resumes once there is space.
    @Test(arguments: mayBeFull ? [false, true] : [false])
    func unwritableTemporaryFolderIsReported(isFull: Bool) async throws {
        let disk = try TemporaryDirectory()
        if isFull { try #require(SmallDisk.mount("size=64k", disk.path)) }
        defer { if isFull { SmallDisk.unmount(disk.path) } }
        let path = isFull ? disk.path : disk.path("missing")
        let first = try run(temporary: path)
        _ = try await first.errors(
            containing: isFull ? "spilling it to disk" : "list ended early"
        )
        gate.open()
        let ending = try await first.ending()
        #expect(ending.status == 4, "\(ending)")
        #expect(ending.errors.contains("TMPDIR"), "\(ending.errors)")
        #expect(ending.errors.contains(path), "\(ending.errors)")
        #expect(try ordinals().count >= 10_000)
        let second = try await run(temporary: folder.path).ending()
        #expect(second.status == 0, "\(second)")
        #expect(try ordinals().sorted() == Array(1...Self.count + 100))
    }
}
