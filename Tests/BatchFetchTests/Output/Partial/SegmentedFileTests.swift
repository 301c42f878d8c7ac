import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The end of a body that several requests fetch, after all of them have ended.
@Suite struct SegmentedFileTests {
    private let store: PartialStore
    private let parts: PartialFolder
    private let claim: PartialClaim

    init() throws {
        store = try PartialStore()
        parts = store.parts(segments: 2)
        claim = try #require(parts.claim(PartialStore.url))
    }

    private func file(_ ranges: [Range<Int64>] = []) -> SegmentedFile {
        SegmentedFile(claim, PartialStore.record(ranges), [0..<50, 50..<100], store.placement())
    }

    private func write(_ value: UInt8, _ range: Range<Int64>, to file: SegmentedFile) throws {
        let piece = PartialBody(
            claim,
            file.record,
            at: range.lowerBound,
            store.placement(),
            in: file,
            limit: Int64(range.count)
        )
        try piece.append([UInt8](repeating: value, count: range.count))
        // A piece alone doesn't decide about the body.
        guard case .dropped = try piece.commit() else {
            Issue.record("a piece has placed the body")
            return
        }
    }

    private func isPartial(_ end: BodyEnd) -> Bool {
        if case .partial = end { true } else { false }
    }

    private func isDropped(_ end: BodyEnd) -> Bool {
        if case .dropped = end { true } else { false }
    }

    @Test func piecesInAnyOrderMakeTheBody() throws {
        let file = file()
        try write(2, 50..<100, to: file)
        #expect(try store.folder.contents() == [".parts"])
        try write(1, 0..<50, to: file)
        let (end, digests) = try file.close(isRefused: false, hasFailed: false)
        guard case .file("body.bin") = end else {
            Issue.record("the body isn't placed: \(end)")
            return
        }
        #expect(digests == [:], "complete, and without checksums to compute")
        let body = try store.folder.read("body.bin")
        #expect(body.prefix(50).allSatisfy { $0 == 1 } && body.suffix(50).allSatisfy { $0 == 2 })
        #expect(body.count == 100)
        #expect(store.names == [])
    }

    @Test func missingPieceKeepsTheOthers() throws {
        let file = file()
        try write(2, 50..<100, to: file)
        let (end, digests) = try file.close(isRefused: false, hasFailed: false)
        #expect(isPartial(end) && digests == nil)
        #expect(claim.content?.ranges == ByteRanges([50..<100]))
    }

    @Test func failedTransferKeepsTheBodyForAnotherAttempt() throws {
        let file = file()
        try write(1, 0..<50, to: file)
        try write(2, 50..<100, to: file)
        let (end, digests) = try file.close(isRefused: false, hasFailed: true)
        #expect(isPartial(end) && digests == nil)
        #expect(try store.folder.contents() == [".parts"])
    }

    @Test(arguments: [true, false])
    func refusedOrAbandonedPieceDeletesAll(isRefused: Bool) throws {
        let file = file()
        try write(1, 0..<50, to: file)
        try write(2, 50..<100, to: file)
        if !isRefused { file.abandon() }
        let (end, digests) = try file.close(isRefused: isRefused, hasFailed: false)
        #expect(isDropped(end) && digests == nil)
        #expect(store.names == [])
        #expect(claim.content == nil)
    }

    @Test func existingRangesAreKeptIfNoPieceArrives() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let (end, _) = try file([0..<40]).close(isRefused: false, hasFailed: true)
        #expect(isPartial(end))
        store.disk.stop()
        #expect(store.names?.count == 2)
    }

    @Test func existingRangesAreDeletedIfAPieceIsRefused() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let (end, _) = try file([0..<40]).close(isRefused: true, hasFailed: true)
        #expect(isDropped(end))
        store.disk.stop()
        #expect(store.names == [])
    }

    @Test func piecesOfAFileInUseFail() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let other = try FileDescriptor.openForReading(store.folder.path(store.part))
        #expect(try other.tryLock())
        let error = #expect(throws: FileError.self) { _ = try file([0..<40]).file() }
        #expect(error?.isInUse == true)
        other.unlock()
    }
}
