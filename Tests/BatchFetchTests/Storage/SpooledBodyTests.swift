import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Bodies that are kept until they are complete, in memory or in an anonymous file.
@Suite struct SpooledBodyTests {
    private static let memory = 128 * 1024

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func content(_ body: SpooledBody) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try body.read { piece throws(FileError) in bytes += piece }
        return bytes
    }

    @Test(arguments: [[], [0], [memory], [memory - 1, 1], [1, memory - 1, 0]])
    func smallBodyStaysInMemory(counts: [Int]) throws {
        let body = SpooledBody(folder: folder.path)
        for count in counts { try body.append([UInt8](repeating: 1, count: count)) }
        #expect(body.count == counts.reduce(0, +))
        #expect(try folder.contents().isEmpty)
        #expect(try content(body).count == counts.reduce(0, +))
    }

    @Test(arguments: [[memory + 1], [memory, 1], [1, memory], [100_000, 100_000, 0, 400_000]])
    func largeBodyIsReadInItsOrder(counts: [Int]) throws {
        let body = SpooledBody(folder: folder.path)
        var expected: [UInt8] = []
        for (index, count) in counts.enumerated() {
            let piece = [UInt8](repeating: UInt8(index), count: count)
            try body.append(piece)
            expected += piece
        }
        // The file has no name, so that others can't read it and a kill leaves nothing.
        #expect(try folder.contents().isEmpty)
        #expect(body.count == expected.count)
        // Reading is repeatable.
        for _ in 0..<2 { #expect(try content(body) == expected) }
        body.drop()
        #expect(try content(body).isEmpty)
    }

    @Test func missingFolderIsReported() throws {
        let body = StandardOutputBody(folder: folder.path("none"), isTaken: .init())
        try body.append([UInt8](repeating: 1, count: Self.memory))
        let failure = #expect(throws: BatchFailure.self) { try body.append([1]) }
        #expect(failure?.code == .output)
        #expect(failure?.message.contains("create a file in “\(folder.path("none"))”") == true)
    }

    @Test func secondBodyForStandardOutputIsRejected() throws {
        let isTaken = StandardOutputBody.IsTaken()
        let first = StandardOutputBody(folder: folder.path, isTaken: isTaken)
        #expect(try first.commit().summary == "dropped")
        let second = StandardOutputBody(folder: folder.path, isTaken: isTaken)
        try second.append([UInt8](repeating: 1, count: Self.memory + 1))
        let failure = #expect(throws: BatchFailure.self) { _ = try second.commit() }
        #expect(failure?.code == .output)
        #expect(
            failure?.message
                == "standard output takes only one body: name a folder for several"
        )
        #expect(try folder.contents().isEmpty)
    }
}
