import HTTPTypes
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The results that a job makes without another attempt, and from its last one.
@Suite struct FetchJobTests {
    private func job(
        _ url: String = "http://a.example/x",
        _ change: (inout BatchRequest) -> Void = { _ in }
    ) throws -> FetchJob {
        var request = BatchRequest(url: url)
        change(&request)
        let start = MonotonicTime(nanoseconds: 0)
        return FetchJob(
            target: try FetchTarget(request),
            line: 3,
            ordinal: 7,
            attempts: 2,
            waitingSince: start
        )
    }

    @Test func resultIdentifiesTheLine() throws {
        let job = try job { $0.tag = "t" }
        let outcome = AttemptOutcome(finalURL: "http://b.example/", status: 200)
        for result in [
            job.result(of: outcome, queued: .zero), job.interrupted,
            job.failed(BatchFailure(.robots, "no")),
        ] {
            #expect(result.url == "http://a.example/x")
            #expect(result.line == 3 && result.ordinal == 7)
            #expect(result.attempts == 2 && result.tag == "t")
        }
        #expect(job.interrupted.failure?.leavesUnresolved == true)
    }

    @Test func queueTimesOfTheRunAndTheTransportAreAdded() throws {
        var outcome = AttemptOutcome.success
        #expect(try job().result(of: outcome, queued: .seconds(2)).timings.queue == .seconds(2))
        outcome.timings.queue = .seconds(1)
        outcome.timings.total = .seconds(5)
        let timings = try job().result(of: outcome, queued: .seconds(2)).timings
        #expect(timings.queue == .seconds(3) && timings.total == .seconds(5))
        #expect(timings.firstByte == nil, "a phase that didn't happen stays unknown")
    }

    @Test func resultSaysWhereTheBodyIs() throws {
        func result(_ end: BodyEnd) throws -> BatchResult {
            try job().result(of: AttemptOutcome(status: 200, end: end), queued: .zero)
        }
        #expect(try result(.file(path: "a/b")).path == "a/b")
        let existing = try result(.existing(path: "a/b"))
        #expect(existing.path == "a/b" && existing.isExisting)
        let archived = try result(.shard(name: "shard-00001.tar", offset: 512))
        #expect(archived.shard == "shard-00001.tar" && archived.shardOffset == 512)
        #expect(archived.path == nil)
        #expect(try result(.memory([1, 2])).body == [1, 2])
        let dropped = try result(.dropped)
        #expect(dropped.path == nil && dropped.shard == nil && dropped.body == nil)
    }

    // MARK: A host that is given up

    @Test func unavailableHostIsNamedWithItsLastFailure() throws {
        var last = BatchFailure(BatchFailure.Code("connect_refused"), "no one listens")
        last.curlCode = 7
        last.systemErrno = 111
        let failure = try #require(try job().unavailable(since: last).failure)
        let reason = "a.example:80 is paused after repeated failures"
        #expect(failure.code == .hostUnavailable)
        #expect(failure.message == "\(reason); the last failure: no one listens")
        #expect(failure.curlCode == 7 && failure.systemErrno == 111)
        #expect(try job().unavailable(since: nil).failure?.message == reason)
    }

    @Test func jobWithAnAttemptKeepsItsOwnFailure() throws {
        var job = try job()
        var result = job.failed(BatchFailure(.status, "the server answered 503"))
        result.status = 503
        job.lastResult = LastResult(result)
        let given = job.unavailable(since: BatchFailure(.timeout, "of another URL"))
        #expect(given.status == 503 && given.failure?.code == .status)
        #expect(
            given.failure?.message == "the server answered 503; "
                + "not retried: a.example:80 is paused after repeated failures"
        )
    }

    @Test func robotsFileIsThatOfTheRedirectTarget() throws {
        var job = try job("http://a.example/x") { $0.body = .bytes([1, 2, 3]) }
        #expect(job.weight == 3)
        let target = try FetchTarget("https://[::1]:8443/x?token=secret")
        job.redirects = RedirectChain(target, count: 1, after: .success, of: job, queued: .zero)
        let robots = FetchJob(robotsFor: job, at: MonotonicTime(nanoseconds: 5))
        #expect(robots.isRobots && robots.target.isRobots)
        #expect(robots.target.url == "https://[::1]:8443/robots.txt")
        #expect(robots.weight == 0 && robots.waitingSince == MonotonicTime(nanoseconds: 5))
    }

    // MARK: Existing files

    private func job(md5: String) throws -> FetchJob {
        let digest = try #require(ExpectedDigest(.md5, hexadecimal: md5))
        return try job { $0.digests = [digest] }
    }

    private static let abc = "900150983cd24fb0d6963f7d28e17f72"

    @Test func existingFileIsComparedWithTheListedChecksum() throws {
        let folder = try TemporaryDirectory()
        let right = try folder.write("abc", to: "right")
        let wrong = try folder.write("abd", to: "wrong")
        let job = try job(md5: Self.abc)
        #expect(job.mismatch(ofFile: right) { false } == nil)
        let failure = try #require(job.mismatch(ofFile: wrong) { false })
        #expect(failure.code == .verification)
        #expect(failure.message.contains("instead of \(Self.abc) as the list says"))
        #expect(
            failure.message.hasSuffix(
                "the existing file “\(wrong)” is kept: overwrite existing files to fetch it again"
            )
        )
    }

    @Test func missingFileFailsOnlyIfAChecksumIsListed() throws {
        let path = try TemporaryDirectory().path("missing")
        #expect(try job().mismatch(ofFile: path) { false } == nil)
        let failure = try #require(try job(md5: Self.abc).mismatch(ofFile: path) { false })
        #expect(failure.code == .output && failure.systemErrno == 2)
        #expect(failure.message.contains(path) && !failure.endsRun)
    }

    @Test func endingRunStopsReadingTheFile() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("abc", to: "right")
        let failure = try job(md5: Self.abc).mismatch(ofFile: path) { true }
        #expect(failure?.leavesUnresolved == true)
    }
}
