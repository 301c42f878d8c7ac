internal import Foundation
internal import Posix
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The file of an incomplete download: its bytes, and which of them are durable.
@Suite struct PartFileTests {
    private let folder: TemporaryDirectory
    private var url: URL { URL(fileURLWithPath: folder.path("part")) }

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func createdFileIsEmptyAndForItsOwnerOnly() throws {
        let file = try PartFile(url, durableSize: 100)
        let sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [0, 0, 0])
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [(0, 0, 5), (3, 3, 2), (5, 5, 0), (9, 5, 0)] as [(Int64, Int64, Int64)])
    func existingBytesAreKept(recorded: Int64, durable: Int64, pending: Int64) throws {
        try folder.write("hello", to: "part")
        var file = try PartFile(url, durableSize: recorded)
        let sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [5, durable, pending])
        try file.append(Data(" world".utf8))
        #expect(try folder.read("part") == Array("hello world".utf8))
        let pendingNow = file.pendingSize
        #expect(pendingNow == pending + 6)
    }

    @Test func synchronizedBytesAreDurable() throws {
        var file = try PartFile(url)
        try file.append(Data(count: 10))
        try file.append(Data())
        var sizes = [file.size, file.pendingSize]
        #expect(sizes == [10, 10])
        try file.synchronize()
        try file.append(Data(count: 5))
        sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [15, 10, 5])
    }

    @Test func truncatedFileHasFewerDurableBytes() throws {
        var file = try PartFile(url)
        try file.append(Data("0123456789".utf8))
        try file.synchronize()
        try file.cut(to: 4)
        var sizes = [file.size, file.durableSize]
        #expect(sizes == [4, 4])
        try file.append(Data("x".utf8))
        #expect(try folder.read("part") == Array("0123x".utf8))
        try file.cut(to: 0)
        sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [0, 0, 0])
        #expect(try folder.read("part") == [])
    }

    @Test func failedSynchronizationTruncatesToDurableBytesAndIsNotRetried() throws {
        let results = Watched([Int32](arrayLiteral: 0, EIO))
        var file = try PartFile(
            url,
            synchronizationFailure: { results.update { $0.isEmpty ? 0 : $0.removeFirst() } }
        )
        try file.append(Data("kept".utf8))
        try file.synchronize()
        try file.append(Data("lost".utf8))
        let error = #expect(throws: FileError.self) { try file.synchronize() }
        #expect(error?.errno == EIO && error?.path == url.path)
        let sizes = [file.size, file.durableSize, file.pendingSize]
        #expect(sizes == [4, 4, 0])
        #expect(try folder.read("part") == Array("kept".utf8))
        // A third synchronization would succeed: neither call attempts it.
        #expect(throws: FileError.self) { try file.synchronize() }
        #expect(throws: FileError.self) { try file.cut(to: 0) }
        #expect(try folder.read("part") == Array("kept".utf8))
    }

    @Test func missingFolderIsAnErrorWithThePath() throws {
        let missing = URL(fileURLWithPath: folder.path("none/part"))
        let error = #expect(throws: FileError.self) { _ = try PartFile(missing) }
        #expect(error?.errno == ENOENT)
        #expect(error?.description.contains("none/part”") == true)
    }

    @Test func identityStaysWithTheRenamedFile() throws {
        let file = try PartFile(url)
        let identity = try file.identity()
        try FileSystem.rename(url.path, to: folder.path("moved"))
        let moved = try PartFile(URL(fileURLWithPath: folder.path("moved"))).identity()
        let other = try PartFile(url).identity()
        #expect(moved == identity && other != identity)
    }
}
