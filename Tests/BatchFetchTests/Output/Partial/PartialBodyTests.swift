import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// How a body that may be kept in part ends: completed, kept, or dropped.
@Suite struct PartialBodyTests {
    private let store: PartialStore
    private let parts: PartialFolder
    private let claim: PartialClaim

    init() throws {
        store = try PartialStore()
        parts = store.parts()
        claim = try #require(parts.claim(PartialStore.url))
    }

    private func body(_ ranges: [Range<Int64>] = [], at position: Int64 = 0) -> PartialBody {
        let record = PartialStore.record(ranges)
        return PartialBody(claim, record, at: position, store.placement())
    }

    private func bytes(_ value: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: value, count: count)
    }

    private func verifier(_ digest: [UInt8]) -> BodyVerifier? {
        BodyVerifier(
            computing: [],
            expecting: [ExpectedDigest(.sha256, bytes: digest, source: "the test")]
        )
    }

    private func path(_ end: BodyEnd) -> String? {
        if case .file(let path) = end { path } else { nil }
    }

    @Test func wholeBodyGetsItsNameAndLeavesNoPart() throws {
        let body = body()
        try body.append(bytes(1, 60))
        try body.append(bytes(2, 40))
        #expect(path(try body.commit()) == "body.bin")
        #expect(try store.folder.read("body.bin") == bytes(1, 60) + bytes(2, 40))
        #expect(store.names == [])
        #expect(claim.content == nil)
    }

    @Test func resumedBodyContinuesBehindTheExistingBytes() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let body = body([0..<40], at: 40)
        #expect(body.isPartial)
        try body.append(bytes(1, 60))
        #expect(path(try body.commit()) == "body.bin")
        #expect(try store.folder.read("body.bin") == bytes(7, 40) + bytes(1, 60))
    }

    /// As after a transfer that ended too early without an error.
    @Test func committedBodyThatIsIncompleteIsKept() throws {
        let body = body()
        try body.append(bytes(1, 60))
        guard case .partial(let kept) = try body.commit() else {
            Issue.record("it isn't kept")
            return
        }
        #expect(kept.content?.ranges == ByteRanges([0..<60]))
        #expect(try store.folder.contents() == [".parts"])
    }

    @Test func droppedBodyLeavesNoFile() throws {
        let body = body()
        try body.append(bytes(1, 60))
        body.drop()
        #expect(store.names == [])
    }

    @Test func droppedBodyWithoutNewBytesDeletesTheExistingPart() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        body([0..<40], at: 40).drop()
        store.disk.stop()
        #expect(store.names == [])
    }

    @Test func bodyWithoutBytesCreatesNothing() throws {
        let body = body()
        guard case .dropped = try body.suspend() else {
            Issue.record("something is kept")
            return
        }
        #expect(try store.folder.contents().isEmpty)
    }

    @Test func wrongChecksumOfTheWholeBodyDeletesIt() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let body = body([0..<40], at: 40)
        try body.append(bytes(1, 60))
        let end = try body.commit(checking: verifier(bytes(0, 32)))
        guard case .mismatched(let failure) = end else {
            Issue.record("it isn't rejected")
            return
        }
        #expect(failure.code == .verification && failure.message.contains("the test"))
        #expect(store.names == [])
        #expect(try store.folder.contents() == [".parts"])
    }

    /// A new body doesn't depend on the part, so it is written elsewhere.
    @Test func newBodyIsWrittenWithoutAPartThatIsInUse() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let other = try FileDescriptor.openForReading(store.folder.path(store.part))
        #expect(try other.tryLock())
        let body = body()
        try body.append(bytes(1, 100))
        #expect(path(try body.commit()) == "body.bin")
        #expect(try store.folder.read("body.bin") == bytes(1, 100))
        #expect(try store.folder.read(store.part) == bytes(7, 40))
        other.unlock()
    }

    @Test func resumedBodyFailsIfItsPartIsInUse() throws {
        try store.leave(PartialStore.record([0..<40]), bytes: 40)
        let other = try FileDescriptor.openForReading(store.folder.path(store.part))
        #expect(try other.tryLock())
        let body = body([0..<40], at: 40)
        let failure = #expect(throws: BatchFailure.self) { try body.append(bytes(1, 60)) }
        #expect(failure?.code == .output && failure?.isPartUnavailable == true)
        #expect(failure?.endsRun == false)
        #expect(failure?.message.contains(store.part) == true)
        #expect(try store.folder.read(store.part) == bytes(7, 40))
        other.unlock()
    }

    @Test func wholeBodyWhosePathWasReplacedFails() throws {
        let body = body()
        try body.append(bytes(1, 100))
        try FileSystem.remove(store.folder.path(store.part))
        try store.folder.write("another run's", to: store.part)
        let failure = #expect(throws: BatchFailure.self) { try body.commit() }
        #expect(failure?.code == .output && failure?.message.contains(store.part) == true)
        #expect(try store.folder.contents() == [".parts"])
        #expect(try store.folder.read(store.part) == Array("another run's".utf8))
    }
}
