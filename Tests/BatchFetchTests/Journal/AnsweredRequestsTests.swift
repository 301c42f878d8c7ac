import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// The journal of an endless list, whose requests are identified by their content.
@Suite(.timeLimit(.minutes(10))) struct AnsweredRequestsTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test("Each answer is taken once")
    func answersAreTakenOnce() {
        var answered = AnsweredRequests([5, 1, 5, .max, 5])
        #expect([5, 1, .max].allSatisfy { answered.take($0) })
        #expect(!answered.take(1) && !answered.take(2) && !answered.take(.max))
        let rest = [answered.take(5), answered.take(5), answered.take(5)]
        #expect(rest == [true, true, false])
        #expect(AnsweredRequests([]).isEmpty && !answered.isEmpty)
    }

    @Test("The key depends on URL, method, fields, content and tag, and on nothing else")
    func keyDependsOnTheContent() throws {
        func key(_ change: (inout BatchRequest) -> Void = { _ in }) throws -> UInt64 {
            var request = BatchRequest(url: "http://a/")
            change(&request)
            return RequestKey.key(of: try FetchTarget(request))
        }
        let plain = try key()
        let different = [
            plain, try key { $0.url = "http://a/b" }, try key { $0.method = .post },
            try key { $0.headerFields = [.accept: "x"] }, try key { $0.body = .bytes([1]) },
            try key { $0.tag = "x" }, try key { $0.tag = "y" },
        ]
        #expect(Set(different).count == different.count)
        #expect(try key { $0.priority = 3 } == plain)
        #expect(try key { $0.name = "x" } == plain)
        #expect(RequestKey.key(ofLine: "http://a/") == plain)
        // The key is the same in every process and every version: the beginning of the SHA-256 of
        // the URL's length as eight bytes, the lowest first, and the URL.
        #expect(plain == 0x676b_0e79_0156_3e9f)
    }

    private func journal() throws -> BatchJournal {
        try BatchJournal(
            path: folder.path("journal"),
            lists: ["-"],
            results: folder.path("results")
        )
    }

    /// Fetches the requests; returns the requested URLs.
    private func run(
        _ requests: [BatchRequest],
        endingAfter count: Int = .max,
        _ change: (inout BatchInput.Options) -> Void = { _ in }
    ) async throws -> [String] {
        let requested = Recorder()
        let journal = try journal()
        let log = try ResultLog(journal: journal, interval: .milliseconds(1))
        let fetcher = ScriptedFetcher { target, _ in
            requested.append(target.url)
            return target.url.hasSuffix("13") ? .status(404) : .success
        }
        var input = BatchInput.requests(requests)
        change(&input.options)
        let run = try Batch(BatchConfiguration(concurrency: 1)).start(
            input,
            journal: journal,
            fetcher: fetcher
        )
        var iterator = run.makeAsyncIterator()
        var taken = 0
        while taken < count, let result = await iterator.next() {
            log.append(result)
            taken += 1
        }
        run.cancel()
        try log.close()
        return requested.values
    }

    private func lineCount() throws -> Int {
        try folder.read("results").count { $0 == 0x0A }
    }

    @Test("Requests that were answered are skipped when the same lines come again")
    func answeredRequestsAreSkipped() async throws {
        let requests = (0..<50).map { BatchRequest(url: "http://host\($0 % 3)/\($0)") }
        _ = try await run(requests, endingAfter: 20)
        #expect(try lineCount() == 20)
        #expect(try await run(requests).count == 30)
        #expect(try journal().doneCount == 50 && journal().failedCount == 1)
        // In another order, beside new ones, and with an unusable line.
        let more = requests.shuffled() + ["http://new/", "nonsense"].map { BatchRequest(url: $0) }
        #expect(try await run(more) == ["http://new/"])
        #expect(try await run(more).isEmpty)
        #expect(try lineCount() == 52)
    }

    @Test("A request is skipped as often as it was answered")
    func repeatedRequestsAreCounted() async throws {
        let twice = [BatchRequest](repeating: BatchRequest(url: "http://a/"), count: 2)
        #expect(try await run(twice).count == 2)
        #expect(try await run(twice + twice).count == 2)
        #expect(try await run(twice + twice).isEmpty)
    }

    @Test("Requests that differ only in their content are different requests")
    func contentIsPartOfTheRequest() async throws {
        var post = BatchRequest(url: "http://a/")
        post.method = .post
        post.body = .bytes([1])
        var other = post
        other.body = .bytes([2])
        #expect(try await run([post]).count == 1)
        #expect(try await run([BatchRequest(url: "http://a/"), other, post]).count == 2)
    }

    @Test("Reported duplicates are reported once")
    func duplicatesAreReportedOnce() async throws {
        let requests = [BatchRequest](repeating: BatchRequest(url: "http://a/"), count: 3)
        for count in [1, 0] {
            let requested = try await run(requests) {
                $0.deduplication = .exact
                $0.reportsDuplicates = true
            }
            #expect(requested.count == count)
            #expect(try lineCount() == 3)
        }
    }

    @Test("Results that the journal doesn't have are cut off, and answered again")
    func unrecordedResultsAreCutOff() async throws {
        let requests = (0..<3).map { BatchRequest(url: "http://a/\($0)") }
        _ = try await run(Array(requests.prefix(2)))
        let before = try folder.read("journal")
        _ = try await run(requests)
        _ = try folder.write(before, to: "journal")
        #expect(try await run(requests) == ["http://a/2"])
        #expect(try lineCount() == 3)
    }

    @Test("Existing files can't be kept")
    func existingFilesCannotBeKept() throws {
        let journal = try journal()
        let failure = #expect(throws: BatchFailure.self) { try journal.claims() }
        #expect(failure?.code == .configuration)
    }

    @Test("A journal of a file isn't one of standard input")
    func otherListIsRefused() async throws {
        _ = try await run([BatchRequest(url: "http://a/")])
        let list = try folder.write("http://a/\n", to: "list")
        let failure = #expect(throws: BatchFailure.self) {
            try BatchJournal(
                path: folder.path("journal"),
                lists: [list],
                results: folder.path("results")
            )
        }
        #expect(failure?.message.contains("started with the list “-”") == true)
    }

    @Test("Answers are read back, up to the limit, and only for standard input")
    func answersAreReadBack() throws {
        let header = JournalHeader(
            input: InputIdentity(path: "-", size: 0, modified: 0, hash: 0),
            results: "-",
            output: ""
        )
        var entry = JournalEntry(ordinals: [], failed: 1, resultsLength: 7)
        entry.keys = [1, .max, 0x0102_0304_0506_0708]
        let block = JournalCodec.block(entry)
        let bytes = JournalCodec.magic + JournalCodec.block(header) + block + block
        let content = try #require(JournalCodec.read(bytes))
        #expect(content.answers == entry.keys + entry.keys && content.answerCount == 6)
        #expect(content.failed == 2 && content.resultsLength == 7)
        #expect(content.validLength == bytes.count)
        var other = header
        other.input.path = "list"
        let start = JournalCodec.magic + JournalCodec.block(other)
        #expect(JournalCodec.read(start + block)?.validLength == start.count)
        var full = JournalContent()
        full.addAnswers([UInt64](repeating: 1, count: 2 * AnsweredRequests.limit))
        full.addAnswers([2])
        #expect(full.answers.count == AnsweredRequests.limit && full.answers.last == 2)
        #expect(full.answerCount == 2 * AnsweredRequests.limit + 1)
    }
}
