import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Runs of the command, one after the other, into the same folder.
struct PartialRuns {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    func path(_ name: String) -> String { folder.path(name) }

    func write(_ text: String, to name: String) throws -> String {
        try folder.write(text, to: name)
    }

    func read(_ name: String) throws -> [UInt8] { try folder.read(name) }

    /// The results of the last run; with a journal those of all.
    func results() throws -> [ResultLine] {
        try ResultLine.lines(String(decoding: try folder.read("results"), as: UTF8.self))
            .sorted { $0.ordinal < $1.ordinal }
    }

    func start(
        _ arguments: [String],
        output: String = "out",
        results: String = "results"
    ) throws -> CommandRun {
        if !arguments.contains("--journal") {
            try? FileManager.default.removeItem(atPath: path(results))
        }
        let run = try CommandRun(
            ["--output", path(output), "--results", path(results), "--sha256"] + arguments
        )
        try run.closeInput()
        return run
    }

    /// Runs it to its end, which is to have this status.
    @discardableResult
    func run(
        _ arguments: [String],
        output: String = "out",
        status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [ResultLine] {
        let ending = try await start(arguments, output: output).ending()
        #expect(ending.status == status, "\(ending)", sourceLocation: sourceLocation)
        return try results()
    }

    /// One attempt, which is to fail.
    @discardableResult
    func fail(
        _ arguments: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ResultLine {
        let arguments = ["--retries", "0"] + arguments
        let results = try await run(arguments, status: 1, sourceLocation: sourceLocation)
        let result = try #require(results.first, sourceLocation: sourceLocation)
        #expect(!result.ok && result.path == nil, "\(result)", sourceLocation: sourceLocation)
        return result
    }

    /// What is in the folder of parts; nil if that isn't there.
    func parts() -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: path("out/.parts")).sorted()
    }

    /// The bytes of a body's file.
    func file(_ name: String) throws -> [UInt8] { try folder.read("out/\(name)") }

    /// The bytes of the only part there is.
    func part() throws -> [UInt8] { try folder.read("out/.parts/\(try partName())") }

    /// The name of the only part there is; its record has `.json` besides.
    func partName() throws -> String {
        let names = try #require(parts())
        let name = try #require(names.first)
        #expect(names == [name, name + ".json"])
        return name
    }

    /// Waits until the parts have so many bytes on the disk.
    func parts(atLeast count: Int) async throws {
        try await parts(in: count..<Int.max)
    }

    /// The same, where there may be more at first, which are of no use.
    func parts(in counts: Range<Int>) async throws {
        try await FolderWatch.wait(in: [path(""), path("out"), path("out/.parts")]) {
            counts.contains(bytesOfParts())
        }
    }

    /// What takes room: parts may have gaps.
    private func bytesOfParts() -> Int {
        (parts() ?? []).filter { !$0.contains(".json") }.reduce(0) { sum, name in
            var facts = stat()
            guard stat(path("out/.parts/\(name)"), &facts) == 0 else { return sum }
            return sum + Int(min(facts.st_blocks * 512, facts.st_size))
        }
    }

    /// Checks that a result is of all of a body, and that the body is where it says.
    func expect(
        _ result: ResultLine?,
        is bytes: [UInt8],
        status: Int? = nil,
        attempts: Int = 1,
        output: String = "out",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try #require(result, sourceLocation: sourceLocation)
        #expect(result.ok, "\(result)", sourceLocation: sourceLocation)
        if let status { #expect(result.status == status, sourceLocation: sourceLocation) }
        #expect(result.attempts == attempts, sourceLocation: sourceLocation)
        #expect(result.decoded_bytes == bytes.count, sourceLocation: sourceLocation)
        let digest = Hexadecimal.text(MessageDigest.of(bytes, .sha256))
        #expect(result.sha256 == digest, sourceLocation: sourceLocation)
        let path = try #require(result.path, sourceLocation: sourceLocation)
        let file = try folder.read("\(output)/\(path)")
        // Not compared by the test's macro, which would tell all of both.
        let difference = Self.difference(file, bytes)
        #expect(difference == nil, "byte \(difference ?? 0)", sourceLocation: sourceLocation)
    }

    /// The same, and that nothing else is there.
    func expectOnly(
        _ result: ResultLine?,
        is bytes: [UInt8],
        status: Int? = nil,
        attempts: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(
            result,
            is: bytes,
            status: status,
            attempts: attempts,
            sourceLocation: sourceLocation
        )
        #expect(parts() == nil, sourceLocation: sourceLocation)
        let files = try TemporaryDirectory.files(in: path("out"))
        #expect(files == [result?.path], sourceLocation: sourceLocation)
    }

    /// Where two bodies differ first.
    static func difference(_ one: [UInt8], _ other: [UInt8]) -> Int? {
        if Data(one) == Data(other) { return nil }
        return zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset
            ?? min(one.count, other.count)
    }
}
