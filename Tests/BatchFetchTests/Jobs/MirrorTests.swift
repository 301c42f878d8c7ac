import HTTPTypes
import Posix
import Testing

@testable import BatchFetch

/// Which URL of a line is used after another one has failed.
@Suite struct MirrorTests {
    private func job(_ mirrors: [String], _ fields: HTTPFields = [:]) throws -> FetchJob {
        var request = BatchRequest(url: "https://first.example/a")
        request.mirrors = mirrors
        request.headerFields = fields
        return FetchJob(
            target: try FetchTarget(request),
            line: 1,
            waitingSince: MonotonicTime(nanoseconds: 0)
        )
    }

    private func failed(_ job: FetchJob, _ code: BatchFailure.Code = .status) -> BatchResult {
        job.failed(BatchFailure(code, "failure \(job.source.host)"))
    }

    @Test("Mirrors are used in order, each with all its attempts, until none is left")
    func mirrorsAreUsedInOrder() throws {
        var job = try job(["http://b/1", "http://c/2"])
        job.attempts = 3
        job.hasMismatched = true
        var next = try #require(job.usingNextMirror(after: failed(job)))
        #expect(next.place.url == "http://b/1" && next.target.url == "https://first.example/a")
        #expect(next.attempts == 3 && next.attemptsAtSource == 0 && !next.hasMismatched)
        next.attempts = 4
        #expect(next.attemptsAtSource == 1)
        next = try #require(next.usingNextMirror(after: failed(next)))
        #expect(next.place.url == "http://c/2" && next.attemptsAtSource == 0)
        #expect(next.usingNextMirror(after: failed(next)) == nil)
        let result = next.summarising(failed(next))
        #expect(result.url == "https://first.example/a" && result.mirror == "http://c/2")
        #expect(result.attempts == 4)
        #expect(
            result.failure?.message == "failure c; all 3 URLs of the line failed, the first one: "
                + "failure first.example"
        )
    }

    @Test(
        "Failures of the output or the run aren't answered by a mirror",
        arguments: [
            BatchFailure.Code.output, .cancelled, .bodyTooLarge, .nameCollision, .existingFile,
            .resources, .totalReached,
        ]
    )
    func otherFailuresKeepTheURL(code: BatchFailure.Code) throws {
        let job = try job(["http://b/"])
        #expect(job.usingNextMirror(after: failed(job, code)) == nil)
    }

    @Test(
        "Failures of a URL, its host or its body are answered by a mirror",
        arguments: [
            BatchFailure.Code.status, .transport, .timeout, .verification, .robots,
            .hostUnavailable, .tooManyRedirects, BatchFailure.Code("connect_refused"),
        ]
    )
    func failuresOfAURLUseAMirror(code: BatchFailure.Code) throws {
        let job = try job(["http://b/"])
        #expect(job.usingNextMirror(after: failed(job, code)) != nil)
    }

    @Test("A success, and a line without mirrors, have no mirror")
    func noMirrorWithoutFailure() throws {
        let job = try job(["http://b/"])
        #expect(job.usingNextMirror(after: BatchResult(url: "x", line: 1)) == nil)
        let plain = try self.job([])
        #expect(plain.usingNextMirror(after: failed(plain)) == nil)
    }

    @Test(
        "Private fields are sent to a mirror of the same origin, or if the line shares them",
        arguments: [
            ("https://first.example:443/b", false, 5), ("https://other.example/b", false, 1),
            ("http://first.example/b", false, 1), ("https://first.example:444/b", false, 1),
            ("https://other.example/b", true, 4),
        ]
    )
    func privateFieldsStayAtTheirOrigin(mirror: String, isShared: Bool, count: Int) throws {
        var request = BatchRequest(url: "https://first.example/a")
        request.mirrors = [mirror]
        request.sharesCredentials = isShared
        request.headerFields = [.accept: "*/*", .authorization: "Bearer x", .cookie: "a=b"]
        request.headerFields[try #require(HTTPField.Name("Origin"))] = "https://first.example"
        request.headerFields[try #require(HTTPField.Name("X-Sid"))] = "s3cret"
        let target = try FetchTarget(request).mirror(mirror)
        let fields = target.details?.request.headerFields ?? [:]
        #expect(fields.count == count && fields[.accept] == "*/*", "\(fields)")
        #expect((fields[.authorization] != nil) == (count > 1))
        #expect(target.details?.request.mirrors.isEmpty == true)
    }
}
