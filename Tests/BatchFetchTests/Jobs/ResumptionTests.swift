internal import HTTPSemantics
import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Which jobs resume an incomplete body, in which pieces, and when they restart it.
@Suite final class ResumptionTests {
    private static let mebibyte: Int64 = 1 << 20

    private let disk: DiskThreads
    private let folder: TemporaryDirectory

    init() throws {
        disk = try DiskThreads()
        folder = try TemporaryDirectory()
    }

    deinit { disk.stop() }

    private func record(
        _ finalURL: String = "http://a/x",
        length: Int64 = 64 * mebibyte,
        _ validator: StrongValidator = .entityTag("\"1\"")
    ) -> PartialRecord {
        PartialRecord(
            url: "http://a/x",
            finalURL: finalURL,
            validator: validator,
            length: length,
            ranges: ByteRanges([0..<1000])
        )
    }

    private func parts(segments: Int = 1) -> PartialFolder {
        PartialFolder(in: folder.path, segments: segments, disk: disk)
    }

    private func job(
        _ request: BatchRequest = BatchRequest(url: "http://a/x"),
        _ record: PartialRecord? = nil
    ) throws -> FetchJob {
        var job = FetchJob(
            target: try FetchTarget(request),
            line: 1,
            attempts: 1,
            waitingSince: MonotonicTime(nanoseconds: 0)
        )
        job.partial = PartialClaim("key", in: parts(), record: record)
        return job
    }

    @Test func onlyPlainGETIsResumed() throws {
        let record = record()
        let plain = try job(BatchRequest(url: "http://a/x"), record)
        #expect(plain.requestedPart?.range == 1000..<record.length)
        #expect(plain.requestedPart?.present == 1000)
        var robots = plain
        robots.isRobots = true
        #expect(robots.requestedPart == nil)
        for change: (inout BatchRequest) -> Void in [
            { $0.method = .post }, { $0.method = .head }, { $0.body = .bytes([1]) },
            { $0.headerFields[.range] = "bytes=0-1" }, { $0.headerFields[.ifMatch] = "\"1\"" },
            { $0.headerFields[.ifModifiedSince] = "x" },
            { $0.headerFields[.acceptEncoding] = "br" },
        ] {
            var request = BatchRequest(url: "http://a/x")
            change(&request)
            #expect(try job(request, record).requestedPart == nil, "\(request)")
        }
        var request = BatchRequest(url: "http://a/x")
        request.headerFields[.authorization] = "Basic x"
        #expect(try job(request, record).requestedPart != nil)
    }

    @Test(arguments: [
        ("http://a/x", true), ("http://a/x?signature=2", true), ("http://a/y", false),
        ("https://a/x", false), ("http://b/x", false), ("http://a/x/", false),
    ])
    func partComesFromTheSameURLExceptItsQuery(finalURL: String, isSame: Bool) throws {
        let request = BatchRequest(url: "http://a/x?signature=1")
        #expect((try job(request, record(finalURL)).requestedPart != nil) == isSame)
    }

    @Test func resumedRequestAddsItsFieldsToThoseOfTheLine() throws {
        var request = BatchRequest(url: "http://a/x")
        request.headerFields[.authorization] = "Basic x"
        let fields = try job(request, record()).nextTarget.details
        #expect(fields?.part?.range.lowerBound == 1000)
        #expect(fields?.request.headerFields[.authorization] == "Basic x")
        #expect(try job().nextTarget.details == nil, "nothing exists yet")
    }

    // MARK: Restarts

    @Test(arguments: [
        (400, 1, 2, true), (501, 1, 2, true), (500, 1, 2, false), (500, 2, 2, true),
        (500, 1, 0, true), (404, 2, 2, false), (503, 2, 2, false), (416, 2, 2, false),
    ])
    func statusDecidesWhetherTheBodyRestarts(
        status: Int,
        attempts: Int,
        limit: Int,
        restarts: Bool
    ) throws {
        var resuming = try job(BatchRequest(url: "http://a/x"), record())
        resuming.attempts = attempts
        let policy = BatchRetryPolicy(limit: limit)
        let next = resuming.restartingWhole(after: .status(status), policy)
        #expect((next != nil) == restarts)
        if let next {
            #expect(next.requestedPart == nil && next.isContinuing && next.isInOnePiece)
            #expect(next.partial?.content != nil, "the part is kept until the body has arrived")
            #expect(next.restartingWhole(after: .status(status), policy) == nil)
        }
        let whole = try job()
        #expect(whole.restartingWhole(after: .status(status), policy) == nil)
    }

    // MARK: Pieces

    @Test func onlyALargeBodyWithAnEntityTagIsDivided() throws {
        let job = try job()
        let four = parts(segments: 4)
        #expect(job.pieces(of: record(), four).count == 4)
        #expect(job.pieces(of: record(), parts(segments: 1)).count == 1)
        #expect(job.pieces(of: record(length: 32 * Self.mebibyte - 1), four).count == 1)
        let date = StrongValidator.lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(job.pieces(of: record("http://a/x", date), four).count == 1)
        var single = job
        single.isInOnePiece = true
        #expect(single.pieces(of: record(), four) == [1000..<(64 * Self.mebibyte)])
    }
}
