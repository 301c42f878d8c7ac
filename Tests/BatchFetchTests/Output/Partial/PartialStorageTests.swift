import Foundation
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The file of an incomplete body and its record, while they are written.
@Suite struct PartialStorageTests {
    private let store: PartialStore
    private let parts: PartialFolder
    private let claim: PartialClaim

    init() throws {
        store = try PartialStore()
        parts = store.parts()
        claim = try #require(parts.claim(PartialStore.url))
    }

    private func open(_ ranges: [Range<Int64>] = [], of length: Int64 = 100) throws -> PartialFile?
    {
        try PartialFile(claim, PartialStore.record(ranges, of: length))
    }

    private func savedRecord() throws -> PartialRecord? {
        PartialRecord(try store.folder.read(store.record))
    }

    private func bytes(_ value: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: value, count: count)
    }

    /// URLs in the record may contain secrets.
    @Test func recordIsReadableByItsOwnerOnly() throws {
        let file = try #require(try open())
        let mode = try #require(try FileSystem.permissions(of: store.folder.path(store.record)))
        #expect(mode & 0o077 == 0)
        withExtendedLifetime(file) {}
    }

    @Test func suspendedFileHasItsRangesOnRecord() throws {
        let file = try #require(try open())
        try file.write(bytes(1, 10), at: 0)
        try file.write(bytes(2, 5), at: 50)
        #expect(try savedRecord()?.ranges == ByteRanges(), "saved when the file was opened")
        try file.suspend()
        let record = try #require(try savedRecord())
        #expect(record.ranges == ByteRanges([0..<10, 50..<55]))
        #expect(record.durable == record.ranges)
        #expect(claim.content == record)
        let content = try store.folder.read(store.part)
        #expect(content == bytes(1, 10) + bytes(0, 40) + bytes(2, 5))
        #expect(store.names?.count == 2, "no record is left under its temporary name")
    }

    /// A kill loses at most 4 MiB, and what isn't flushed doesn't count after a crash.
    @Test func recordIsSavedAfterFourMebibytes() throws {
        let file = try #require(try open(of: 16 << 20))
        let piece = bytes(3, 1 << 20)
        for number in 0..<3 { try file.write(piece, at: Int64(number) << 20) }
        #expect(try savedRecord()?.ranges == ByteRanges())
        try file.write(piece, at: 3 << 20)
        let record = try #require(try savedRecord())
        #expect(record.ranges == ByteRanges([0..<(4 << 20)]))
        #expect(record.durable == ByteRanges())
    }

    @Test func bytesBeyondTheRecordedRangesAreCutOff() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 60)
        let file = try #require(try open([0..<40]))
        #expect(try store.folder.read(store.part).count == 40)
        withExtendedLifetime(file) {}
    }

    @Test func fileThatLacksRecordedBytesIsNotOpened() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 39)
        #expect(try open([0..<40]) == nil)
        #expect(try store.folder.read(store.part).count == 39)
    }

    @Test func fileIsWrittenByOneAtATime() throws {
        var first = try open()
        try first?.write(bytes(1, 10), at: 0)
        #expect(try open() == nil)
        #expect(try store.folder.read(store.part).count == 10, "it isn't truncated")
        withExtendedLifetime(first) {}
        first = nil
        #expect(try open([0..<10]) != nil)
    }

    @Test func symbolicLinkIsNotFollowed() throws {
        try FileSystem.makeDirectory(store.folder.path(".parts"))
        let target = try store.folder.write("precious", to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: store.folder.path(store.part),
            withDestinationPath: target
        )
        #expect(throws: FileError.self) { try open() }
        #expect(try store.folder.read("target") == Array("precious".utf8))
    }

    @Test func replacedFileIsNotTakenForItsOwn() throws {
        let file = try #require(try open())
        #expect(file.isAtPath)
        try FileSystem.remove(store.folder.path(store.part))
        #expect(!file.isAtPath)
        try store.folder.write("another run's", to: store.part)
        #expect(!file.isAtPath)
        PartialBody.discard(file)
        #expect(try store.folder.read(store.part) == Array("another run's".utf8))
    }

    @Test func bodyIsWholeOnceEveryByteIsWritten() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let file = try #require(try open([0..<40]))
        #expect(!file.isWhole)
        try file.write(bytes(1, 30), at: 70)
        try file.write(bytes(2, 29), at: 41)
        #expect(!file.isWhole)
        try file.write(bytes(3, 1), at: 40)
        #expect(file.isWhole)
        var count = 0
        try file.read { count += $0.count }
        #expect(count == 100)
    }
}
