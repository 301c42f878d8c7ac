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

    private let process: Process
    private let input = Pipe()
    private let output: DrainedPipe
    private let errors: DrainedPipe
    private let ended = Gate()

    init(_ arguments: [String]) throws {
        let output = DrainedPipe()
        let errors = DrainedPipe()
        process = Process()
        process.executableURL = try Self.executable()
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        process.terminationHandler = { [ended] _ in ended.open() }
        self.output = output
        self.errors = errors
        try process.run()
        output.drain()
        errors.drain()
    }

    deinit {
        if process.isRunning { process.terminate() }
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
        kill(process.processIdentifier, number)
    }

    /// Waits for its end.
    func ending() async throws -> Ending {
        try await ended.wait()
        let isSignal = process.terminationReason == .uncaughtSignal
        return Ending(
            status: isSignal ? -process.terminationStatus : process.terminationStatus,
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
