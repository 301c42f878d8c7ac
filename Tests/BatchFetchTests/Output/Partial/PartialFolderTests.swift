import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Which incomplete bodies of earlier runs are found, and who may use them.
@Suite struct PartialFolderTests {
    private let store: PartialStore

    init() throws {
        store = try PartialStore()
    }

    private func found() -> PartialRecord? {
        store.parts().existingClaim(PartialStore.url)?.content
    }

    @Test func incompleteBodyOfAnEarlierRunIsFound() throws {
        let record = PartialStore.record([0..<40])
        try store.leave(record, bytes: 40)
        #expect(found() == record)
    }

    @Test func listingCreatesNoFolder() {
        #expect(store.parts().existingClaim(PartialStore.url) == nil)
        #expect(!store.hasParts)
    }

    /// The file may have been allocated beyond the last range, but not beyond the body.
    @Test(arguments: [(39, false), (40, true), (100, true), (101, false)])
    func fileMustHoldTheRangesAndNoMoreThanTheBody(count: Int, isFound: Bool) throws {
        try store.leave(PartialStore.record([0..<40]), bytes: count)
        #expect((found() != nil) == isFound)
    }

    @Test func completeFileIsNotResumed() throws {
        try store.leave(PartialStore.record([0..<100]), bytes: 100)
        #expect(found() == nil)
    }

    @Test func recordOfAnotherURLIsNotUsed() throws {
        try store.leave(PartialStore.record([0..<40], url: "http://a.example/other"), bytes: 40)
        #expect(found() == nil)
    }

    @Test func recordWithoutItsFileIsNotUsed() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        try FileSystem.remove(store.folder.path(store.part))
        #expect(found() == nil)
    }

    @Test func fileThatAnotherRunWritesIsNotUsed() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let parts = store.parts()
        let other = try FileDescriptor.openForReading(store.folder.path(store.part))
        #expect(try other.tryLock())
        #expect(parts.existingClaim(PartialStore.url) == nil)
        other.unlock()
        // The check itself keeps no lock and no claim.
        #expect(parts.existingClaim(PartialStore.url) != nil)
        #expect(try other.tryLock())
    }

    @Test func urlHasOneClaimUntilItIsReleased() throws {
        let parts = store.parts()
        var first = parts.claim(PartialStore.url)
        #expect(first != nil)
        #expect(parts.claim(PartialStore.url) == nil)
        #expect(parts.claim("http://a.example/other") != nil)
        withExtendedLifetime(first) {}
        first = nil
        #expect(parts.claim(PartialStore.url) != nil)
    }

    @Test func existingBodyIsClaimedOnlyOnce() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let parts = store.parts()
        let first = parts.existingClaim(PartialStore.url)
        #expect(first != nil)
        #expect(parts.existingClaim(PartialStore.url) == nil)
        #expect(parts.claim(PartialStore.url) == nil)
        withExtendedLifetime(first) {}
    }

    @Test func discardedBodyIsDeletedWithItsRecords() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        try store.folder.write("torn", to: "\(store.record).new")
        let parts = store.parts()
        let claim = try #require(parts.existingClaim(PartialStore.url))
        parts.discard(claim)
        #expect(claim.content == nil, "nothing is resumed in the meantime")
        store.disk.stop()
        #expect(store.names == [])
    }

    @Test func discardKeepsAFileThatAnotherRunWrites() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let parts = store.parts()
        let claim = try #require(parts.existingClaim(PartialStore.url))
        let other = try FileDescriptor.openForReading(store.folder.path(store.part))
        #expect(try other.tryLock())
        parts.discard(claim)
        store.disk.stop()
        #expect(store.names?.count == 2)
        other.unlock()
    }

    @Test func recordWhoseFileIsMissingIsDiscarded() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let parts = store.parts()
        let claim = try #require(parts.existingClaim(PartialStore.url))
        try FileSystem.remove(store.folder.path(store.part))
        parts.discard(claim)
        store.disk.stop()
        #expect(store.names == [])
    }

    @Test func folderIsRemovedOnlyIfItIsEmpty() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let parts = store.parts()
        parts.end()
        #expect(store.names?.count == 2)
        try FileSystem.remove(store.folder.path(store.part))
        try FileSystem.remove(store.folder.path(store.record))
        parts.end()
        #expect(!store.hasParts)
    }
}
