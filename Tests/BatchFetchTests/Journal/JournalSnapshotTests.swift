import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Reads the state of a journal without changing it.
@Suite struct JournalSnapshotTests {
    private let folder: TemporaryDirectory
    private let list: String

    init() throws {
        folder = try TemporaryDirectory()
        list = try folder.write("http://a/\nhttp://b/\nhttp://c/\n", to: "list")
    }

    private func snapshot(output: String? = nil) throws -> JournalSnapshot {
        try JournalSnapshot(
            path: folder.path("journal"),
            lists: [list],
            results: folder.path("results"),
            output: output
        )
    }

    private func journal() throws -> BatchJournal {
        try BatchJournal(
            path: folder.path("journal"),
            lists: [list],
            results: folder.path("results")
        )
    }

    /// Writes the results of the first URLs of a run; of these the first one failed.
    private func write(_ count: Int) throws {
        let log = try ResultLog(journal: try journal())
        for line in 1...count {
            var result = BatchResult(url: "http://\(line)/", line: line)
            if line == 1 { result.failure = BatchFailure(.status, "the server answered 404") }
            log.append(result)
        }
        try log.close()
    }

    @Test func missingJournalHasNoCompletedURLs() throws {
        let snapshot = try snapshot(output: folder.path("out"))
        #expect(snapshot.doneCount == 0 && snapshot.failedCount == 0 && snapshot.damage == nil)
        #expect(try folder.contents() == ["list"], "nothing was created")
    }

    @Test func completedAndFailedURLsAreCounted() throws {
        try write(2)
        let snapshot = try snapshot()
        #expect(snapshot.doneCount == 2 && snapshot.failedCount == 1 && snapshot.damage == nil)
        #expect(snapshot.done.contains(1) && snapshot.done.contains(2))
        #expect(!snapshot.done.contains(3))
    }

    @Test func journalInUseIsReadable() throws {
        try write(1)
        let journal = try journal()
        #expect(try snapshot().doneCount == 1)
        withExtendedLifetime(journal) {}
    }

    @Test func damageIsReportedAndNotRepaired() throws {
        try write(2)
        let journal = try folder.read("journal") + [1, 2, 3]
        let results = try folder.read("results") + Array("{\"ordinal\":3,\"url\":\"ht".utf8)
        try folder.write(journal, to: "journal")
        try folder.write(results, to: "results")
        let snapshot = try snapshot()
        #expect(snapshot.doneCount == 2)
        #expect(
            snapshot.damage == "the journal is truncated after byte \(journal.count - 3)"
        )
        #expect(try folder.read("journal") == journal)
        #expect(try folder.read("results") == results)
    }

    @Test func linesBeyondTheJournalCount() throws {
        try write(1)
        let line = "{\"ordinal\":3,\"url\":\"http://c/\",\"ok\":false}\n"
        try folder.write(try folder.read("results") + Array(line.utf8), to: "results")
        let snapshot = try snapshot()
        #expect(snapshot.doneCount == 2 && snapshot.failedCount == 2)
        #expect(snapshot.done.contains(3))
    }

    @Test func journalOfAnotherOutputIsRefused() throws {
        try write(1)
        let failure = #expect(throws: BatchFailure.self) {
            try snapshot(output: folder.path("out"))
        }
        #expect(failure?.code == .journal)
        let message = failure?.message ?? ""
        #expect(message.contains("started with the output “”"))
        #expect(message.contains("name another file to restart"))
    }

    @Test func journalOfAnotherVersionIsRefusedWithAdvice() throws {
        try folder.write("BFJRNL01 and more", to: "journal")
        let failure = #expect(throws: BatchFailure.self) { try snapshot() }
        #expect(failure?.code == .journal)
        #expect(failure?.message.contains("has the format 01") == true)
        #expect(failure?.message.contains("the version that created it") == true)
    }

    @Test func folderInsteadOfAJournalIsReported() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("journal"),
            withIntermediateDirectories: false
        )
        let failure = #expect(throws: BatchFailure.self) { try snapshot() }
        #expect(failure?.code == .journal)
        #expect(failure?.message.contains("name a journal that can be read") == true)
    }

    @Test func missingListIsReported() throws {
        try FileManager.default.removeItem(atPath: list)
        let failure = #expect(throws: BatchFailure.self) { try snapshot() }
        #expect(failure?.code == .input && failure?.message.contains(list) == true)
    }
}
