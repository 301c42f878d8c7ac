internal import CurlResilience
internal import HTTPSemantics
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The combined outcome of the pieces of a body. No piece has received bytes here.
@Suite final class SegmentGroupTests {
    private let disk: DiskThreads
    private let folder: TemporaryDirectory
    private let group: SegmentGroup
    private let job: FetchJob

    init() throws {
        disk = try DiskThreads()
        folder = try TemporaryDirectory()
        let parts = PartialFolder(in: folder.path, segments: 3, disk: disk)
        let record = PartialRecord(
            url: "http://a/x",
            finalURL: "http://a/x",
            validator: .entityTag("\"1\""),
            length: 300,
            ranges: ByteRanges([0..<60])
        )
        let claim = PartialClaim("key", in: parts, record: record)
        let placement = FilePlacement(
            folder: folder.path,
            name: FileName("x", url: "http://a/x"),
            existing: .overwrite,
            claim: nil,
            taken: nil
        )
        group = SegmentGroup(
            SegmentedFile(claim, record, [60..<100, 100..<200, 200..<300], placement)
        )
        var job = FetchJob(
            target: try FetchTarget("http://a/x"),
            line: 1,
            attempts: 2,
            waitingSince: MonotonicTime(nanoseconds: 0)
        )
        job.partial = claim
        self.job = job
    }

    deinit { disk.stop() }

    private func end(_ main: AttemptOutcome, _ pieces: [AttemptOutcome]) {
        for piece in pieces { _ = group.pieceEnded(piece) }
        let main = SegmentGroup.MainEnd(job: job, outcome: main, queued: .seconds(1))
        _ = group.mainEnded(main)
    }

    private var isRefused: AttemptOutcome {
        AttemptOutcome(status: 200, isPartRefused: true)
    }

    @Test func otherPiecesHaveTheirOwnRequests() throws {
        let jobs = group.jobs(beside: job)
        #expect(jobs.map { $0.segment?.range } == [100..<200, 200..<300])
        for piece in jobs {
            #expect(piece.partial == nil && piece.isContinuing && piece.attempts == 2)
            let part = try #require(piece.requestedPart)
            #expect(part.range == piece.segment?.range && part.length == 300)
            #expect(!part.acceptsWhole, "another request fetches the complete body")
            #expect(piece.restartingWhole(after: .status(400), BatchRetryPolicy()) == nil)
        }
    }

    @Test(arguments: 0..<3) func lastPieceCompletesTheGroup(position: Int) {
        let main = SegmentGroup.MainEnd(job: job, outcome: .success, queued: .zero)
        #expect(group.settle() == nil, "no piece has ended")
        for turn in 0..<3 {
            let isMain = turn == position
            let isLast = isMain ? group.mainEnded(main) : group.pieceEnded(.success)
            #expect(isLast == (turn == 2))
        }
        #expect(group.settle() != nil)
    }

    @Test func transferredBytesOfAllPiecesAreAdded() throws {
        var piece = AttemptOutcome.status(503, retryAfter: "9")
        piece.transferredBytes = 100
        var main = AttemptOutcome.success
        main.transferredBytes = 40
        end(main, [piece, piece])
        let settled = try #require(group.settle())
        #expect(settled.outcome.transferredBytes == 240)
        #expect(settled.queued == .seconds(1))
        #expect(settled.outcome.timings.total ?? .zero > .zero)
    }

    @Test func failureOfOnePieceFailsTheAttempt() throws {
        end(.success, [.status(503, retryAfter: "9"), .status(500)])
        let settled = try #require(group.settle())
        #expect(settled.outcome.failure?.cause == .status(503), "the first one counts")
        #expect(settled.outcome.retryAfter == "9")
        #expect(settled.job.isInOnePiece, "the next attempt is the simplest one")
        guard case .partial(let claim) = settled.outcome.end else {
            Issue.record("the bytes of earlier attempts are kept")
            return
        }
        #expect(claim === job.partial && claim.content != nil)
    }

    @Test func failureOfTheFirstPieceTakesPrecedence() throws {
        end(.status(502, retryAfter: "1"), [.status(503, retryAfter: "9"), .success])
        let settled = try #require(group.settle())
        #expect(settled.outcome.failure?.cause == .status(502))
        #expect(settled.outcome.retryAfter == "1")
    }

    /// The body has changed: its pieces don't belong together.
    @Test func refusedPieceDiscardsTheBody() throws {
        end(.success, [.success, isRefused])
        let settled = try #require(group.settle())
        #expect(settled.outcome.isPartRefused && settled.outcome.failure == nil)
        #expect(settled.outcome.isDropped && settled.job.isInOnePiece)
        #expect(job.partial?.content == nil, "the next attempt restarts the body")
    }

    /// Abandoned without a failure, the file couldn't be opened.
    @Test func unopenableFileRestartsTheBody() throws {
        group.file.abandon()
        end(.success, [.success, .success])
        let settled = try #require(group.settle())
        #expect(settled.outcome.isPartRefused && settled.outcome.isDropped)
    }

    @Test func abandonedFileAfterAFailureIsNoRefusal() throws {
        group.file.abandon()
        end(.failing(.output, .permanent), [.success, .success])
        let settled = try #require(group.settle())
        #expect(!settled.outcome.isPartRefused)
        #expect(settled.outcome.failure?.cause == .permanent)
    }
}
