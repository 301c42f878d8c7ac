import HTTPTypes
import Posix
import Testing

@testable import BatchFetch

/// URLs as bytes for another process.
@Suite struct WorkItemTests {
    private func job(_ request: BatchRequest) throws -> FetchJob {
        FetchJob(
            target: try FetchTarget(request),
            line: 7,
            ordinal: 9,
            attempts: 2,
            waitingSince: MonotonicTime(nanoseconds: 5)
        )
    }

    @Test("An item keeps the request, its place in the list and the attempts, but no ticket")
    func itemKeepsRequest() throws {
        var request = BatchRequest(url: "http://a/1")
        request.method = .post
        request.body = .bytes([1, 2, 3])
        request.tag = "tag"
        var item = WorkItem(try job(request))
        item.ticket = 5
        let copy = try #require(WorkItem(encoded: item.encoded))
        #expect(copy.job.target == item.job.target)
        #expect(copy.job.line == 7)
        #expect(copy.job.ordinal == 9)
        #expect(copy.attempts == 2)
        #expect(copy.ticket == nil)
        #expect(copy.job.redirects == nil)
        #expect(copy.host == "a:80")
    }

    @Test("An item keeps its redirects, and that credentials aren't sent any more")
    func itemKeepsRedirects() throws {
        var job = try job(BatchRequest(url: "http://a/1"))
        var request = BatchRequest(url: "https://b/2")
        request.isBeyondOrigin = true
        job.redirects = RedirectChain(
            try FetchTarget(request),
            count: 3,
            spent: .milliseconds(1500),
            queued: .seconds(2),
            startedAt: 1_700_000_000_000_000
        )
        let copy = try #require(WorkItem(encoded: WorkItem(job).encoded))
        let redirects = try #require(copy.job.redirects)
        #expect(redirects.target == job.redirects?.target)
        #expect(!redirects.target.allowsCredentials)
        #expect(redirects.count == 3)
        #expect(redirects.spent == .milliseconds(1500))
        #expect(redirects.queued == .seconds(2))
        #expect(redirects.startedAt == 1_700_000_000_000_000)
        #expect(copy.job.isContinuing)
        #expect(copy.url == "http://a/1")
        #expect(copy.nextURL == "https://b/2")
        #expect(copy.host == "b:443")
    }

    @Test("Damaged bytes, and those of another version, are no item")
    func damagedBytesAreNoItem() throws {
        var job = try job(BatchRequest(url: "http://a/1"))
        job.redirects = RedirectChain(
            try FetchTarget("http://b/"),
            count: 1,
            spent: .zero,
            queued: .zero,
            startedAt: nil
        )
        let bytes = WorkItem(job).encoded
        #expect(WorkItem(encoded: bytes)?.job.redirects?.startedAt == nil)
        #expect(WorkItem(encoded: bytes)?.job.redirects != nil)
        let plain = WorkItem(try self.job(BatchRequest(url: "http://a/1"))).encoded
        for count in 0..<bytes.count where count != plain.count {
            #expect(WorkItem(encoded: Array(bytes[..<count])) == nil, "\(count) bytes")
        }
        #expect(WorkItem(encoded: [2] + bytes.dropFirst()) == nil)
    }
}
