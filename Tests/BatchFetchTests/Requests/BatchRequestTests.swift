import HTTPTypes
import Testing

@testable import BatchFetch

/// Requests with details: what makes them differ, and which may be repeated.
@Suite struct BatchRequestTests {
    private static let changes: [@Sendable (inout BatchRequest) -> Void] = [
        { $0.method = .head }, { $0.headerFields[.accept] = "x" }, { $0.body = .bytes([]) },
        { $0.body = .file(path: "x") }, { $0.timeout = .seconds(1) }, { $0.name = "" },
        { $0.tag = "" }, { $0.priority = -1 },
        { $0.digests = [ExpectedDigest(.md5, bytes: [], source: "a test")] },
    ]

    @Test func plainRequestTakesNoMemoryForDetails() throws {
        #expect(try FetchTarget(BatchRequest(url: "http://h/")).details == nil)
    }

    /// A detail that is lost would change the request.
    @Test(arguments: changes.indices) func eachDetailIsKept(index: Int) throws {
        var request = BatchRequest(url: "http://h/")
        Self.changes[index](&request)
        let target = try FetchTarget(request)
        #expect(target.details?.request == request)
        #expect(target != (try FetchTarget("http://h/")))
        let same = try FetchTarget(request)
        #expect(target == same && Set([target, same]).count == 1)
    }

    @Test func detailsOfAnInvalidURLAreRejectedWithIt() {
        var request = BatchRequest(url: "h/")
        request.tag = "t"
        let failure = #expect(throws: BatchFailure.self) { try FetchTarget(request) }
        #expect(failure?.message == "“h/” has no scheme: write https://h/")
    }

    @Test(arguments: [
        ("GET", true), ("HEAD", true), ("OPTIONS", true), ("TRACE", true), ("PUT", true),
        ("DELETE", true), ("POST", false), ("PATCH", false), ("CONNECT", false), ("get", false),
        ("PURGE", false),
    ])
    func methodDecidesWhetherARequestIsRepeated(method: String, isIdempotent: Bool) throws {
        var request = BatchRequest(url: "http://h/")
        request.method = try #require(HTTPRequest.Method(method))
        #expect(try FetchTarget(request).isIdempotent == isIdempotent)
    }

    @Test(arguments: ["Idempotency-Key", "idempotency-key", "IDEMPOTENCY-KEY"])
    func idempotencyKeyAllowsARepetition(name: String) throws {
        var request = BatchRequest(url: "http://h/")
        request.method = .post
        request.headerFields[try #require(HTTPField.Name(name))] = "1"
        #expect(try FetchTarget(request).isIdempotent)
    }

    @Test func onlyContentInMemoryHasWeight() {
        var request = BatchRequest(url: "http://h/")
        #expect(RequestDetails(request).weight == 0)
        request.body = .file(path: "/dev/zero")
        #expect(RequestDetails(request).weight == 0)
        request.body = .bytes([1, 2, 3])
        #expect(RequestDetails(request).weight == 3)
    }
}
