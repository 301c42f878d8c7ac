import Foundation
import Posix
import TestSupport
import Testing

/// The file of an incomplete content: its bytes, and which of them are durable.
@Suite struct PartFileTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path("part") }

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func createdFileIsEmptyAndForItsOwnerOnly() throws {
        let file = try PartFile(path, durableSize: 100)
        let sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [0, 0, 0])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [(0, 0, 5), (3, 3, 2), (5, 5, 0), (9, 5, 0)] as [(Int64, Int64, Int64)])
    func existingBytesAreKept(recorded: Int64, durable: Int64, pending: Int64) throws {
        try folder.write("hello", to: "part")
        var file = try PartFile(path, durableSize: recorded)
        let sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [5, durable, pending])
        try file.append(Array(" world".utf8).span)
        #expect(try folder.read("part") == Array("hello world".utf8))
        let pendingNow = file.pendingSize
        #expect(pendingNow == pending + 6)
    }

    @Test func synchronizedBytesAreDurable() throws {
        var file = try PartFile(path)
        try file.append([UInt8](repeating: 0, count: 10).span)
        try file.append([UInt8]().span)
        var sizes = [file.size, file.pendingSize]
        #expect(sizes == [10, 10])
        try file.synchronize()
        try file.append([UInt8](repeating: 0, count: 5).span)
        sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [15, 10, 5])
    }

    @Test func truncatedFileHasFewerDurableBytes() throws {
        var file = try PartFile(path)
        try file.append(Array("0123456789".utf8).span)
        try file.synchronize()
        try file.truncateDurably(to: 4)
        var sizes = [file.size, file.durableSize]
        #expect(sizes == [4, 4])
        try file.append(Array("x".utf8).span)
        #expect(try folder.read("part") == Array("0123x".utf8))
        try file.truncateDurably(to: 0)
        sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [0, 0, 0])
        #expect(try folder.read("part") == [])
    }

    @Test func failedSynchronizationTruncatesToDurableBytesAndIsNotRetried() throws {
        let results = Watched([Int32](arrayLiteral: 0, EIO))
        var file = try PartFile(
            path,
            synchronizationFailure: { results.update { $0.isEmpty ? 0 : $0.removeFirst() } }
        )
        try file.append(Array("kept".utf8).span)
        try file.synchronize()
        try file.append(Array("lost".utf8).span)
        let error = #expect(throws: FileError.self) { try file.synchronize() }
        #expect(error?.errno == EIO && error?.path == path)
        let sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [4, 4, 0])
        #expect(try folder.read("part") == Array("kept".utf8))
        // A third synchronization would succeed: neither call attempts it.
        #expect(throws: FileError.self) { try file.synchronize() }
        #expect(throws: FileError.self) { try file.truncateDurably(to: 0) }
        #expect(try folder.read("part") == Array("kept".utf8))
    }

    @Test func resumedFileKeepsItsFirstBytesAndAppends() throws {
        try folder.write("0123456789", to: "part")
        var file = try PartFile(path, keeping: 4)
        try file.append(Array("x".utf8).span)
        try file.close()
        #expect(try folder.read("part") == Array("0123x".utf8))
    }

    @Test func resumedFileThatBecameShorterIsAnError() throws {
        try folder.write("0123", to: "part")
        let error = #expect(throws: FileError.self) { _ = try PartFile(path, keeping: 5) }
        #expect(error?.operation == "resume" && error?.path == path)
        #expect(try folder.read("part") == Array("0123".utf8))
    }

    @Test func missingFolderIsAnErrorWithThePath() throws {
        let missing = folder.path("none/part")
        let error = #expect(throws: FileError.self) { _ = try PartFile(missing) }
        #expect(error?.errno == ENOENT)
        #expect(error?.description.contains("none/part”") == true)
    }

    @Test func identityStaysWithTheRenamedFile() throws {
        let file = try PartFile(path)
        let identity = try file.identity()
        try FileSystem.rename(path, to: folder.path("moved"))
        let moved = try PartFile(folder.path("moved")).identity()
        let other = try PartFile(path).identity()
        #expect(moved == identity && other != identity)
    }
}
