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

    @Test(
        "Without a writable TMPDIR the command says so at once, and fetches the whole list",
        arguments: mayBeFull ? [false, true] : [false]
    )
    func unwritableTemporaryFolderIsReported(isFull: Bool) async throws {
        let disk = try TemporaryDirectory()
        if isFull { try #require(SmallDisk.mount("size=64k", disk.path)) }
        defer { if isFull { SmallDisk.unmount(disk.path) } }
        let path = isFull ? disk.path : disk.path("missing")
        let run = try self.run(temporary: path)
        // The slow host hasn't answered yet.
        let errors = try await run.errors(containing: "batchfetch: queued URLs can't be written to")
        #expect(errors.contains("TMPDIR") && errors.contains(path), "\(errors)")
        gate.open()
        let ending = try await run.ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.errors.contains("warning few hosts fill the queue, and"), "\(ending)")
        #expect(try ordinals().sorted() == Array(1...Self.count + 100))
    }
}
