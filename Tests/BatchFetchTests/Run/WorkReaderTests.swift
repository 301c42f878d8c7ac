import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Reading lists for another process.
@Suite struct WorkReaderTests {
    private func read(
        _ input: BatchInput,
        portion: Int,
        limit: Int = .max
    ) throws -> (urls: [[String]], failures: Int) {
        let portions = Watched<[[String]]>([])
        let failures = Watched(0)
        try input.readWork(portion: portion) { work, failed in
            failures.update { $0 += failed.count }
            return portions.update { portions in
                portions.append(work.map(\.url))
                return portions.count < limit
            }
        }
        return (portions.read { $0 }, failures.read { $0 })
    }

    @Test("Lists come in portions, with the lines that are no URLs")
    func listsComeInPortions() throws {
        let folder = try TemporaryDirectory()
        let list = try folder.write("http://a/1\n\nhttp://a/2\nno url\nhttp://b/\n", to: "list")
        let read = try read(.file(list), portion: 3)
        #expect(read.urls == [["http://a/1", "http://a/2"], ["http://b/"]])
        #expect(read.failures == 1)
        #expect(throws: BatchFailure.self) {
            try self.read(.file(folder.path("missing")), portion: 3)
        }
    }

    @Test("Reading ends when the receiver has enough")
    func receiverEndsReading() throws {
        let read = try read(.urls((0..<1000).map { "http://a/\($0)" }), portion: 10, limit: 2)
        #expect(read.urls.count == 2)
    }

    @Test("Requests with the same content have the same UUID")
    func uuidIsThatOfContent() throws {
        func uuid(_ url: String, _ deduplication: Deduplication = .exact) throws -> String? {
            let job = FetchJob(target: try FetchTarget(url), line: 1, waitingSince: .now)
            return WorkItem(job).uuid(deduplication)
        }
        let first = try #require(try uuid("http://a/"))
        #expect(first.utf8.count == 36)
        #expect(first.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(try uuid("http://a/") == first)
        #expect(try uuid("http://A:80/") != first)
        #expect(try uuid("http://A:80/", .normalised) == uuid("http://a/", .normalised))
    }
}
