import Foundation
import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// Runs the command repeatedly, with the same output folder.
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

    /// The results of the last run; with a journal those of all runs.
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

    /// Runs the command until it ends, and expects the exit status.
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

    /// Runs one attempt, and expects it to fail.
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

    /// The entries of the folder of partial downloads; nil if it doesn't exist.
    func parts() -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: path("out/.parts")).sorted()
    }

    /// The bytes of a body's file.
    func file(_ name: String) throws -> [UInt8] { try folder.read("out/\(name)") }

    /// The bytes of the only partial download.
    func part() throws -> [UInt8] { try folder.read("out/.parts/\(try partName())") }

    /// The name of the only partial download; its record has the suffix `.json`.
    func partName() throws -> String {
        let names = try #require(parts())
        let name = try #require(names.first)
        #expect(names == [name, name + ".json"])
        return name
    }

    /// Waits until the partial downloads have at least this many bytes on disk.
    func parts(atLeast count: Int) async throws {
        try await parts(in: count..<Int.max)
    }

    /// The same with an upper bound, for an earlier run's bytes that are discarded first.
    func parts(in counts: Range<Int>) async throws {
        try await FolderWatch.wait(in: [path(""), path("out"), path("out/.parts")]) {
            counts.contains(bytesOfParts())
        }
    }

    /// The allocated bytes, because partial downloads may have holes.
    private func bytesOfParts() -> Int {
        (parts() ?? []).filter { !$0.contains(".json") }.reduce(0) { sum, name in
            var facts = stat()
            guard stat(path("out/.parts/\(name)"), &facts) == 0 else { return sum }
            return sum + Int(min(facts.st_blocks * 512, facts.st_size))
        }
    }

    /// Checks that a result and its file are those of a complete body.
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
        // Not compared by `#expect`, which would print both bodies.
        let difference = Self.difference(file, bytes)
        #expect(difference == nil, "byte \(difference ?? 0)", sourceLocation: sourceLocation)
    }

    /// The same, and expects no other file.
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

    /// The offset of the first difference of two bodies.
    static func difference(_ one: [UInt8], _ other: [UInt8]) -> Int? {
        if Data(one) == Data(other) { return nil }
        return zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset
            ?? min(one.count, other.count)
    }
}
