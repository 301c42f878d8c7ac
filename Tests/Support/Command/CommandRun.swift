internal import Foundation

/// Runs the command `batchfetch` as a separate process.
package final class CommandRun: Sendable {
    /// The status and output of a process that has ended.
    package struct Ending: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    private let id: Int32
    private let input = Pipe()
    private let output = DrainedPipe()
    private let errors = DrainedPipe()
    /// The exit status once the process has ended; the negative signal if one ended it.
    private let status = Watched<Int32?>(nil)
    private let waiter: NativeThread

    // Not Foundation's `Process`: its search for open descriptors may read past the buffer of
    // directory entries (6.3).
    package init(program: String? = nil, _ arguments: [String]) throws {
        id = try ChildProcess.spawn(
            [program ?? Self.executable()] + arguments,
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

    /// The path of the command, which SwiftPM builds next to the tests.
    package static func executable() throws -> String {
        try BuiltProducts.path("batchfetch")
    }

    package func write(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    package func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    package func signal(_ number: Int32) {
        kill(id, number)
    }

    /// Whether the process, which runs, ignores a signal.
    package func ignores(_ signal: Int32) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        // A mask in hexadecimal digits (proc_pid_status(5)).
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        return (mask ?? 0) >> UInt64(signal - 1) & 1 == 1
    }

    /// Waits until the standard error contains `text`; returns it.
    package func errors(containing text: String) async throws -> String {
        try await errors.text(containing: text)
    }

    /// Waits until the standard output contains `text`; returns it.
    package func output(containing text: String) async throws -> String {
        try await output.text(containing: text)
    }

    /// Waits until a file exists. Its folder must exist.
    package func file(_ path: String) async throws {
        try await FolderWatch.wait(in: [URL(filePath: path).deletingLastPathComponent().path]) {
            FileManager.default.fileExists(atPath: path)
        }
    }

    /// Waits until the process has ended.
    package func ending() async throws -> Ending {
        Ending(
            status: try await status.wait { $0 },
            output: try await output.text(),
            errors: try await errors.text()
        )
    }

    /// Runs the command until it ends.
    package static func ending(_ arguments: [String], input: String = "") async throws -> Ending {
        let run = try CommandRun(arguments)
        try? run.write(input)
        try run.closeInput()
        return try await run.ending()
    }

    /// Runs the command until it ends.
    package static func ending(_ arguments: String..., input: String = "") async throws -> Ending {
        try await ending(arguments, input: input)
    }

    /// Runs the command with variables of the environment, `NAME=VALUE`, until it ends.
    ///
    /// Returns all that it prints, the standard error included. Its standard input is empty.
    package static func printed(
        _ environment: [String],
        _ arguments: [String]
    ) async throws -> (status: Int32, output: String) {
        let command = try ["/usr/bin/env"] + environment + [executable()] + arguments
        return try await NativeThread.run { try ChildProcess.run(command) }
    }
}
