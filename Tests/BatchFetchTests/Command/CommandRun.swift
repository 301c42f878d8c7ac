import Foundation
import TestSupport

/// The command as a process of its own.
final class CommandRun: Sendable {
    /// What it came to.
    struct Ending: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    private let id: Int32
    private let input = Pipe()
    private let output = DrainedPipe()
    private let errors = DrainedPipe()
    /// Once it has ended: its exit status, or the signal that ended it, negative.
    private let status = Watched<Int32?>(nil)
    private let waiter: NativeThread

    // Not Foundation's `Process`: where it looks for open descriptors, it may read beyond the memory
    // that the directory's entries are in (6.3).
    init(program: String? = nil, _ arguments: [String]) throws {
        id = try ChildProcess.spawn(
            [program ?? Self.executable().path] + arguments,
            input: input.fileHandleForReading.fileDescriptor,
            output: output.pipe.fileHandleForWriting.fileDescriptor,
            errors: errors.pipe.fileHandleForWriting.fileDescriptor
        )
        try input.fileHandleForReading.close()
        try output.drain()
        try errors.drain()
        waiter = try NativeThread(name: "command") { [id, status] in
            var word: Int32 = 0
            while waitpid(id, &word, 0) < 0 && errno == EINTR {}
            let signal = word & 0x7f
            let exit = (word >> 8) & 0xff
            status.update { $0 = signal == 0 ? exit : -signal }
        }
    }

    deinit {
        if status.read({ $0 }) == nil { kill(id, SIGTERM) }
    }

    /// Where SwiftPM puts it: beside the tests.
    static func executable() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("batchfetch")
    }

    func write(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    func signal(_ number: Int32) {
        kill(id, number)
    }

    /// What it has said so far, once that contains `text`.
    func errors(containing text: String) async throws -> String {
        try await errors.text(containing: text)
    }

    /// What it has written so far, once that contains `text`.
    func output(containing text: String) async throws -> String {
        try await output.text(containing: text)
    }

    /// Waits until there is such a file.
    func file(_ path: String) async throws {
        while !FileManager.default.fileExists(atPath: path) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits for its end.
    func ending() async throws -> Ending {
        Ending(
            status: try await status.wait { $0 },
            output: try await output.text(),
            errors: try await errors.text()
        )
    }

    /// Runs it to its end.
    static func ending(_ arguments: String..., input: String = "") async throws -> Ending {
        let run = try CommandRun(arguments)
        try? run.write(input)
        try run.closeInput()
        return try await run.ending()
    }
}
