import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Resumes runs, with a scripted transport.
@Suite(.timeLimit(.minutes(10))) struct BatchJournalTests {
    let folder: TemporaryDirectory
    let list: String

    init() throws {
        folder = try TemporaryDirectory()
        list = try folder.write(
            (0..<100).map { "http://host\($0 % 7)/\($0)\n" }.joined(),
            to: "list.txt"
        )
    }

    private func journal(output: String? = nil) throws -> BatchJournal {
        try BatchJournal(
            path: folder.path("journal"),
            lists: [list],
            results: folder.path("results"),
            output: output
        )
    }

    private func lines() throws -> [String] {
        String(decoding: try folder.read("results"), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    /// Fetches until `count` results are written; returns the requested URLs.
    @discardableResult
    private func run(upTo count: Int = .max) async throws -> [String] {
        let requested = Recorder()
        let journal = try journal()
        let log = try ResultLog(journal: journal, interval: .milliseconds(1))
        let fetcher = ScriptedFetcher { target, _ in
            requested.append(target.url)
            return target.url.hasSuffix("13") ? .status(404) : .success
        }
        let run = try Batch(BatchConfiguration(concurrency: 1)).start(
            .file(list),
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

    @Test func runResumesWhereAnotherEnded() async throws {
        try await run(upTo: 40)
        let before = try lines()
        #expect(before.count == 40)
        let urls = Set(try ResultLine.lines(before.joined(separator: "\n")).map(\.url))
        let requested = try await run()
        #expect(requested.count == 60)
        #expect(urls.isDisjoint(with: requested))
        #expect(try lines().count == 100)
        #expect(Array(try lines().prefix(40)) == before)
        // A third run has no URLs left, and keeps the number of failures.
        #expect(try await run().isEmpty)
        let journal = try journal()
        #expect(journal.doneCount == 100)
        #expect(journal.failedCount == 1)
    }

    @Test func resultsBeyondTheJournalAreReadBack() async throws {
        try await run(upTo: 20)
        let journalBefore = try folder.read("journal")
        try await run(upTo: 30)
        // Simulates a process that ended after it wrote the results and before it wrote the
        // journal.
        _ = try folder.write(journalBefore, to: "journal")
        let requested = try await run()
        #expect(requested.count == 50)
        #expect(try lines().count == 100)
    }

    @Test func tornLastLineIsTruncated() async throws {
        try await run(upTo: 20)
        let whole = try folder.read("results")
        _ = try folder.write(whole + Array("{\"ordinal\":99,\"url\":\"http".utf8), to: "results")
        let journal = try journal()
        #expect(journal.doneCount == 20)
        try ResultLog(journal: journal).close()
        #expect(try folder.read("results") == whole)
    }

    @Test func tornJournalIsCompletedFromTheResults() async throws {
        try await run(upTo: 20)
        let bytes = try folder.read("journal")
        _ = try folder.write(Array(bytes.dropLast(3)), to: "journal")
        do {
            let journal = try journal()
            #expect(journal.damage != nil)
            #expect(journal.doneCount == 20)
        }
        #expect(try await run().count == 80)
    }

    @Test func journalInUseIsRefused() throws {
        let first = try journal()
        let failure = #expect(throws: BatchFailure.self) { try journal() }
        #expect(failure?.code == .journal)
        #expect(failure?.message.contains("used by another run") == true)
        withExtendedLifetime(first) {}
    }

    @Test func closedJournalIsUsableThoughAChildInheritedItsLock() throws {
        var first: BatchJournal? = try journal()
        let inherited = try #require(ProcessFacts.inherited(folder.path("journal")))
        defer { close(inherited) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try journal()
    }

    @Test("A list whose content has changed is refused, and the journal is kept")
    func changedListIsRefused() async throws {
        try await run(upTo: 1)
        let before = try folder.read("journal")
        var text = try folder.read("list.txt")
        text[7] = UInt8(ascii: "H")
        _ = try folder.write(text, to: "list.txt")
        let failure = #expect(throws: BatchFailure.self) { try journal() }
        #expect(failure?.code == .journal)
        #expect(failure?.message.contains("the content of “\(list)” has changed") == true)
        #expect(try folder.read("journal") == before)
    }

    @Test("New lines at the end of a list are fetched by the next run, once")
    func newLinesOfAListAreFetched() async throws {
        try await run()
        for number in 0..<2 {
            let new = "http://new/\(number)"
            _ = try folder.write(
                try folder.read("list.txt") + Array("\(new)\n".utf8),
                to: "list.txt"
            )
            #expect(try await run() == [new])
            #expect(try await run().isEmpty)
        }
        #expect(try journal().doneCount == 102)
        // The lines that were new are known now, so a change of them is noticed.
        var text = try folder.read("list.txt")
        text[text.count - 2] = UInt8(ascii: "9")
        _ = try folder.write(text + Array("http://new/3\n".utf8), to: "list.txt")
        let failure = #expect(throws: BatchFailure.self) { try journal() }
        #expect(failure?.message.contains("has changed since it was started") == true)
    }

    @Test("A copy of the list, with another time, is resumed")
    func copiedListIsResumed() async throws {
        try await run(upTo: 40)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: list
        )
        #expect(try await run().count == 60)
    }

    @Test func resultsOfAnotherJournalAreRefused() async throws {
        try await run(upTo: 10)
        _ = try folder.write("", to: "results")
        let failure = #expect(throws: BatchFailure.self) { try journal() }
        #expect(failure?.message.contains("shorter than their journal says") == true)
        try FileManager.default.removeItem(atPath: folder.path("results"))
        #expect(throws: BatchFailure.self) { try journal() }
    }

    @Test func fileThatIsNotAJournalIsKept() throws {
        _ = try folder.write("precious data", to: "journal")
        #expect(throws: BatchFailure.self) { try journal() }
        #expect(try folder.read("journal") == Array("precious data".utf8))
    }

    @Test func cancelledURLsAreFetchedAgain() throws {
        let log = try ResultLog(journal: try journal())
        var result = BatchResult(url: "http://a/", line: 1)
        result.failure = BatchFailure(.cancelled, "ended")
        log.append(result)
        try log.close()
        #expect(try lines().isEmpty)
    }

    @Test("A new journal has the mode 0600 and no password of a URL")
    func journalKeepsNoSecret() async throws {
        let path = folder.path("journal")
        let journal = try BatchJournal(
            path: path,
            lists: ["http://user:s3cret@h/a?s3cret"],
            results: folder.path("results")
        )
        try ResultLog(journal: journal).close()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let content = String(decoding: try folder.read("journal"), as: UTF8.self)
        #expect(content.contains("@h/a") && !content.contains("s3cret"))
    }

}
