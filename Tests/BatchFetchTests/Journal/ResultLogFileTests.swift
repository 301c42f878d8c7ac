import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Who may write a file of results, and what happens if it can't be written.
@Suite(.timeLimit(.minutes(10))) struct ResultLogFileTests {
    private let folder: TemporaryDirectory
    private let list: String

    init() throws {
        folder = try TemporaryDirectory()
        list = try folder.write("http://a/\n", to: "list")
    }

    private func result(_ line: Int) -> BatchResult { BatchResult(url: "http://a/", line: line) }

    private func ordinals(_ name: String) throws -> [Int] {
        try ResultLine.lines(String(decoding: folder.read(name), as: UTF8.self)).map(\.ordinal)
    }

    private func journal() throws -> BatchJournal {
        try BatchJournal(
            path: folder.path("journal"),
            lists: [list],
            results: folder.path("results")
        )
    }

    @Test func existingResultsAreReplaced() throws {
        let path = try folder.write("earlier results\n", to: "results")
        let log = try ResultLog(path: path)
        for line in [3, 1, 2] { log.append(result(line)) }
        try log.close()
        #expect(try ordinals("results") == [3, 1, 2])
    }

    @Test func resultsInUseAreNotEmptied() async throws {
        let path = folder.path("results")
        let log = try ResultLog(path: path)
        log.append(result(1))
        try await Inspection.wait { [folder] in (try? folder.read("results").last) == 0x0A }
        let failure = #expect(throws: BatchFailure.self) { try ResultLog(path: path) }
        #expect(failure?.code == .output)
        #expect(failure?.message.contains("are being written by another run") == true)
        #expect(failure?.message.contains(path) == true)
        #expect(try ordinals("results") == [1])
        try log.close()
        // The next run may replace them.
        try ResultLog(path: path).close()
        #expect(try ordinals("results").isEmpty)
    }

    @Test func uncreatableFileIsReportedWithAdvice() {
        let failure = #expect(throws: BatchFailure.self) {
            try ResultLog(path: folder.path("missing/results"))
        }
        #expect(failure?.code == .output)
        #expect(failure?.message.contains("name a file that can be created") == true)
    }

    @Test func fullDeviceFailsAtTheClose() throws {
        let log = try ResultLog(path: "/dev/full")
        log.append(result(1))
        let failure = #expect(throws: BatchFailure.self) { try log.close() }
        #expect(failure?.code == .output && failure?.systemErrno == ENOSPC)
        let message = failure?.message ?? ""
        #expect(message.hasPrefix("results can't be written: "))
        #expect(message.contains("/dev/full"))
        #expect(message.hasSuffix("free space or fix the cause, and repeat the command"))
        #expect(log.failure == failure)
    }

    @Test func reopenedLogContinuesInANewFile() async throws {
        let path = folder.path("results")
        let log = try ResultLog(path: path)
        log.append(result(1))
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("old"))
        log.reopen()
        try await FolderWatch.wait(in: [folder.path]) {
            FileManager.default.fileExists(atPath: path)
        }
        log.append(result(2))
        try log.close()
        #expect(try ordinals("old") == [1])
        #expect(try ordinals("results") == [2])
    }

    @Test func resultsOfANewJournalMustBeEmpty() throws {
        let line = "{\"ordinal\":1,\"url\":\"http://a/\",\"ok\":true}\n"
        try folder.write(line, to: "results")
        let failure = #expect(throws: BatchFailure.self) { try journal() }
        #expect(failure?.code == .journal)
        #expect(failure?.message.contains("already exist, but the journal is new") == true)
        #expect(try folder.read("results") == Array(line.utf8))
    }

    @Test func resultsWithoutAJournalInTheirPlaceAreNotTruncated() throws {
        try ResultLog(journal: try journal()).close()
        try folder.write("precious\n", to: "results")
        let failure = #expect(throws: BatchFailure.self) { try journal() }
        #expect(failure?.code == .journal)
        #expect(failure?.message.contains("have lines without a journal") == true)
        #expect(try folder.read("results") == Array("precious\n".utf8))
    }

    /// A run with one result, whose journal is closed afterwards.
    private func finishedRun() throws {
        let log = try ResultLog(journal: try journal())
        log.append(result(1))
        try log.close()
    }

    @Test("A journal with a damaged header names the way to fetch the rest")
    func damagedHeaderNamesFailedFrom() throws {
        try finishedRun()
        var bytes = try folder.read("journal")
        bytes[20] ^= 1
        try folder.write(bytes, to: "journal")
        let failure = #expect(throws: BatchFailure.self) { try journal() }
        #expect(failure?.code == .journal)
        let message = failure?.message ?? ""
        #expect(message.contains("--failed-from \(folder.path("results"))"), "\(message)")
        #expect(message.contains("“\(folder.path("journal"))” is damaged"), "\(message)")
        #expect(try ordinals("results") == [1])
        try folder.write("no journal", to: "journal")
        let foreign = #expect(throws: BatchFailure.self) { try journal() }
        #expect(foreign?.message.contains("--failed-from") == true)
    }

    // MARK: Deleted and existing files

    @Test("Results that are deleted during the run are an error")
    func deletedResultsAreAnError() async throws {
        let path = folder.path("results")
        let log = try ResultLog(path: path)
        log.append(result(1))
        try FileManager.default.removeItem(atPath: path)
        // No line has to come for it to be noticed.
        try await Inspection.wait { log.failure != nil }
        #expect(log.failure?.code == .output)
        #expect(log.failure?.message.contains("“\(path)” was deleted") == true)
        #expect(throws: BatchFailure.self) { try log.close() }
    }

    /// Truncates the results of a run with a journal; returns the error of its log.
    private func failureOfATruncatedRun() async throws -> BatchFailure? {
        let log = try ResultLog(journal: journal(), interval: .milliseconds(1))
        log.append(result(1))
        try await Inspection.wait { [folder] in (try? folder.read("results").last) == 0x0A }
        try folder.write("", to: "results")
        try await Inspection.wait { log.failure != nil }
        log.append(result(2))
        return #expect(throws: BatchFailure.self) { try log.close() }
    }

    @Test("Truncated results of a journal are an error, and aren't written to any more")
    func truncatedResultsAreAnError() async throws {
        let path = folder.path("results")
        let failure = try await failureOfATruncatedRun()
        #expect(failure?.code == .output)
        #expect(failure?.message.contains("“\(path)” was truncated during the run") == true)
        #expect(try folder.read("results").isEmpty, "a hole would be filled with zeros")
        // The journal has a line that the results lost.
        let refusal = #expect(throws: BatchFailure.self) { try journal() }
        #expect(refusal?.message.contains("shorter than their journal says") == true)
    }

    @Test("A journal that is deleted during the run is an error")
    func deletedJournalIsAnError() async throws {
        let log = try ResultLog(journal: journal(), interval: .milliseconds(1))
        try FileManager.default.removeItem(atPath: folder.path("journal"))
        try await Inspection.wait { log.failure != nil }
        let failure = #expect(throws: BatchFailure.self) { try log.close() }
        #expect(failure?.code == .output)
        #expect(failure?.message.contains("journal” was deleted during the run") == true)
        #expect(failure?.message.contains("--failed-from") == true)
    }

    @Test("Results that are renamed before a reopening are created again")
    func renamedResultsAreCreatedAgain() async throws {
        let path = folder.path("results")
        let log = try ResultLog(path: path)
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("old"))
        log.reopen()
        try await Inspection.wait { FileManager.default.fileExists(atPath: path) }
        log.append(result(1))
        try log.close()
        #expect(try ordinals("results") == [1])
    }

    @Test("Existing results are kept if they must not be replaced, except an empty file")
    func existingResultsAreKept() throws {
        let path = try folder.write("precious\n", to: "results")
        let failure = #expect(throws: BatchFailure.self) {
            try ResultLog(path: path, replacing: false)
        }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.contains("--overwrite-results") == true)
        #expect(try folder.read("results") == Array("precious\n".utf8))
        try folder.write("", to: "results")
        try ResultLog(path: path, replacing: false).close()
        try ResultLog(path: "/dev/null", replacing: false).close()
    }

    @Test func resultsOfAJournalAreLockedAgainstOtherLogs() throws {
        let log = try ResultLog(journal: try journal())
        let failure = #expect(throws: BatchFailure.self) {
            try ResultLog(path: folder.path("results"))
        }
        #expect(failure?.message.contains("are being written by another run") == true)
        try log.close()
    }

    /// A failed write says nothing about the URL.
    @Test func urlOfAFullDiskIsNotCompleted() throws {
        let log = try ResultLog(journal: try journal())
        var full = BatchFailure(.output, "no space")
        full.endsRun = true
        for (line, failure) in [full, BatchFailure(.output, "one file"), nil].enumerated() {
            var result = result(line + 1)
            result.failure = failure
            log.append(result)
        }
        try log.close()
        #expect(try ordinals("results") == [2, 3])
    }
}
