import BatchFetch
import Foundation
import TestSupport
import Testing

@testable import BatchReport

/// Reading results from files, and writing pages to files.
@Suite(.timeLimit(.minutes(10))) struct ReportFileTests {
    private static let line =
        "{\"line\":1,\"url\":\"http://h/\",\"ok\":true,\"attempts\":1,\"bytes\":5}\n"
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func report(of bytes: [UInt8]) throws -> RunReport {
        var report = RunReport()
        try report.read(resultsOf: folder.write(bytes, to: "results"))
        return report
    }

    @Test("Results of several files are added up")
    func resultsOfSeveralFilesAreAdded() throws {
        var report = RunReport()
        for name in ["a", "b"] {
            let text = String(repeating: Self.line, count: 3)
            try report.read(resultsOf: folder.write(text, to: name))
        }
        #expect(report.fetched == 6 && report.bytes == 30 && report.damaged == 0)
    }

    @Test("Compressed results are read as plain ones", .enabled(if: Executable.path("gzip") != nil))
    func compressedResultsAreRead() async throws {
        let path = try folder.write(String(repeating: Self.line, count: 10_000), to: "results")
        let gzip = try #require(Executable.path("gzip"))
        let (status, _) = try await NativeThread.run { try ChildProcess.run([gzip, path]) }
        #expect(status == 0)
        var report = RunReport()
        try report.read(resultsOf: path + ".gz")
        #expect(report.fetched == 10_000 && report.damaged == 0)
        // A file that was cut off counts what could be read before the error.
        let bytes = try folder.read("results.gz")
        let cut = try folder.write(Array(bytes.dropLast(20)), to: "cut.gz")
        var part = RunReport()
        let failure = #expect(throws: BatchFailure.self) { try part.read(resultsOf: cut) }
        #expect(failure?.code == .input && part.damaged == 0)
    }

    @Test("A last line without a line end is read, and empty lines are ignored")
    func lastLineMayLackItsEnd() throws {
        let text = "\n\n" + Self.line + "\r\n" + Self.line.dropLast()
        let report = try report(of: Array(text.utf8))
        #expect(report.fetched == 2)
    }

    @Test("A line that is not UTF-8 is damaged, and the next ones are read")
    func otherEncodingsAreDamaged() throws {
        let report = try report(of: [0x61, 0xff, 10] + Array(Self.line.utf8))
        #expect(report.fetched == 1 && report.damaged == 1)
        #expect(report.damagedLines == [RunReport.DamagedLine(line: 1, reason: "it is not UTF-8")])
    }

    @Test("An empty file has no results, and a folder or a missing file is an error")
    func unreadableFilesAreErrors() throws {
        #expect(try report(of: []).count == 0)
        var report = RunReport()
        let missing = #expect(throws: BatchFailure.self) {
            try report.read(resultsOf: folder.path("none"))
        }
        #expect(
            missing?.code == .input && missing?.message.contains("“\(folder.path("none"))”") == true
        )
        let directory = #expect(throws: BatchFailure.self) {
            try report.read(resultsOf: folder.path)
        }
        #expect(directory?.code == .input)
        #expect(directory?.message.contains("Is a directory") == true)
    }

    @Test("A page replaces a file, and is written through a link")
    func pageReplacesAFile() throws {
        let report = try report(of: Array(Self.line.utf8))
        let path = try folder.write("old", to: "page.html")
        try report.write(to: path, title: "a title")
        let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
        #expect(page == report.html(title: "a title"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"),
            withDestinationPath: path
        )
        try report.write(to: folder.path("link"), title: "another")
        #expect(try folder.read("page.html") == Array(report.html(title: "another").utf8))
        #expect(try folder.contents() == ["link", "page.html", "results"])
    }

    @Test("The error of an unwritable page has the path and the reason")
    func unwritablePageIsAnError() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"),
            withIntermediateDirectories: false
        )
        for (path, reason) in [
            (folder.path("none/page"), "No such file or directory"),
            (folder.path("folder"), "Is a directory"),
        ] {
            let before = #expect(throws: BatchFailure.self) { try RunReport.check(path) }
            let after = #expect(throws: BatchFailure.self) {
                try RunReport().write(to: path, title: "x")
            }
            for failure in [before, after] {
                #expect(failure?.code == .output)
                #expect(failure?.message.hasPrefix("can't write the report: ") == true)
                #expect(failure?.message.contains("“\(path)”") == true, "\(failure?.message ?? "")")
                #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
            }
        }
        let full = #expect(throws: BatchFailure.self) {
            try RunReport().write(to: "/dev/full", title: "x")
        }
        #expect(full?.message.contains("No space left on device") == true)
        try RunReport.check(folder.path("new"))
        try RunReport.check("-")
        #expect(try folder.contents() == ["folder"], "checking leaves no file")
    }
}
