import Foundation
import Posix
import TestSupport
import Testing

@testable import BatchFleet

/// Results on disk, without a database.
@Suite(.timeLimit(.minutes(10))) struct ReportJournalTests {
    private let run = FleetRun(
        id: 1,
        name: "run",
        options: "{}",
        identity: "11111111-2222-4333-8444-555555555555",
        state: .open
    )

    private func report(_ numbers: Range<Int>, line: String = "{\"url\":\"é\\n\"}") -> FleetReport {
        var report = FleetReport()
        for number in numbers {
            let lease = HostLease(host: number, token: number + 1)
            report.completions.append(
                FleetReport.Completion(
                    lease: lease,
                    key: FleetFixture.key(number),
                    isFetched: number % 2 == 0,
                    line: line
                )
            )
            report.moves.append(
                FleetReport.Move(
                    lease: lease,
                    key: FleetFixture.key(number),
                    target: "b",
                    url: "http://b/\(number)",
                    details: number == 0 ? nil : "details",
                    delay: .milliseconds(1500)
                )
            )
        }
        return report
    }

    /// What a journal has, as its owner would deliver it.
    private func delivered(_ journal: ReportJournal) async throws -> [FleetReport] {
        var reports: [FleetReport] = []
        while let portion = try await journal.next() {
            #expect(portion.damaged == 0)
            reports.append(portion.report)
            journal.skip(portion)
        }
        return reports
    }

    @Test("A worker reads what a worker that has died kept, and leaves no file")
    func nextWorkerReadsKeptResults() async throws {
        let folder = try TemporaryDirectory()
        let place = folder.path("a/b")
        do {
            let journal = ReportJournal(folder: place, of: run)
            try await journal.findFiles()
            #expect(journal.isEmpty)
            try await journal.append(report(0..<2))
            try await journal.append(report(2..<3))
            #expect(!journal.isEmpty)
        }
        let journal = ReportJournal(folder: place, of: run)
        try await journal.findFiles()
        let reports = try await delivered(journal)
        #expect(reports.flatMap(\.completions) == report(0..<3).completions)
        #expect(reports.flatMap(\.moves) == report(0..<3).moves)
        #expect(journal.isEmpty)
        #expect(try TemporaryDirectory.files(in: place).isEmpty)
    }

    /// Copies the descriptor of an open file, as a child process has it until it starts its program.
    private func copiedDescriptor(of path: String) throws -> Int32 {
        let folder = "/proc/self/fd"
        let manager = FileManager.default
        let number = try manager.contentsOfDirectory(atPath: folder).first { number in
            (try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")) == path
        }
        return try #require(number.flatMap { Int32($0) }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) })
    }

    @Test("A file is unlocked with its journal, though a child process has inherited the lock")
    func inheritedLockEnds() async throws {
        let folder = try TemporaryDirectory()
        let copy: Int32
        do {
            let journal = ReportJournal(folder: folder.path, of: run)
            try await journal.append(report(0..<1))
            let name = try #require(try TemporaryDirectory.files(in: folder.path).first)
            copy = try copiedDescriptor(of: folder.path(name))
        }
        defer { close(copy) }
        let journal = ReportJournal(folder: folder.path, of: run)
        try await journal.findFiles()
        #expect(try await delivered(journal) == [report(0..<1)])
    }

    @Test("Workers with the same folder don't use the file of a worker that runs")
    func runningWorkerKeepsItsFile() async throws {
        let folder = try TemporaryDirectory()
        let first = ReportJournal(folder: folder.path, of: run)
        try await first.append(report(0..<1))
        let second = ReportJournal(folder: folder.path, of: run)
        try await second.findFiles()
        #expect(second.isEmpty)
        try await second.append(report(1..<2))
        #expect(try TemporaryDirectory.files(in: folder.path).count == 2)
        #expect(try await delivered(first) == [report(0..<1)])
        #expect(try await delivered(second) == [report(1..<2)])
        #expect(try TemporaryDirectory.files(in: folder.path).isEmpty)
    }

    @Test("The results of another run are left alone")
    func otherRunIsLeftAlone() async throws {
        let folder = try TemporaryDirectory()
        let other = FleetRun(id: 1, name: "run", options: "{}", identity: "other", state: .open)
        try await ReportJournal(folder: folder.path, of: other).append(report(0..<1))
        let journal = ReportJournal(folder: folder.path, of: run)
        try await journal.findFiles()
        #expect(journal.isEmpty)
        #expect(try TemporaryDirectory.files(in: folder.path).count == 1)
    }

    @Test("A line that a kill has cut off is ignored, and a damaged one is counted")
    func tornLineIsIgnored() async throws {
        let folder = try TemporaryDirectory()
        try await ReportJournal(folder: folder.path, of: run).append(report(0..<1))
        let name = try #require(try TemporaryDirectory.files(in: folder.path).first)
        let path = folder.path(name)
        let whole = try FileDescriptor.openForReading(path).bytes(at: 0, upTo: 1 << 20)
        let torn = Array("{\"host\":1}\n".utf8) + whole + Array("{\"host\":".utf8)
        try FileDescriptor.openForWriting(path, creation: .truncating).write(torn)
        let journal = ReportJournal(folder: folder.path, of: run)
        try await journal.findFiles()
        let portion = try #require(try await journal.next())
        #expect(portion.report == report(0..<1))
        #expect(portion.damaged == 1)
        journal.skip(portion)
        #expect(try await journal.next() == nil)
        #expect(try TemporaryDirectory.files(in: folder.path).isEmpty)
    }

    @Test("Long lines and many lines are read a portion at a time")
    func longLinesAreRead() async throws {
        let folder = try TemporaryDirectory()
        let journal = ReportJournal(folder: folder.path, of: run)
        let long = String(repeating: "x", count: 3 << 20)
        try await journal.append(report(0..<1, line: long))
        try await journal.append(report(0..<3000))
        let reports = try await delivered(journal)
        #expect(reports.count > 2)
        #expect(reports.first?.completions.first?.line == long)
        #expect(reports.flatMap(\.completions).count == 3001)
        #expect(reports.flatMap(\.moves).count == 3001)
    }

    @Test("A folder that can't be made is an error with its name")
    func missingFolderIsError() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("", to: "file")
        let journal = ReportJournal(folder: "\(file)/state", of: run)
        do {
            try await journal.append(report(0..<1))
            Issue.record("the folder was made")
        } catch {
            #expect(error.path.hasPrefix(file))
        }
        #expect(journal.isEmpty)
    }
}
