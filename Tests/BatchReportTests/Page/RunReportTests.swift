import Foundation
import TestSupport
import Testing

@testable import BatchFetch
@testable import BatchReport

/// The report of a run.
@Suite(.timeLimit(.minutes(10))) struct RunReportTests {
    private static let start: Int64 = 1_795_000_000_000_000

    private func result(
        _ number: Int,
        url: String? = nil,
        milliseconds: Int = 20,
        failure: BatchFailure? = nil,
        status: Int? = 200
    ) -> BatchResult {
        var result = BatchResult(
            url: url ?? "https://h\(number % 3).example/\(number)",
            line: number + 1
        )
        result.status = status
        result.failure = failure
        result.attempts = 1
        result.transferredBytes = 1000
        result.startedAt = Self.start + Int64(number) * 10_000
        result.timings.total = .milliseconds(milliseconds)
        result.timings.firstByte = .milliseconds(milliseconds / 2)
        return result
    }

    private func parse(_ html: String) async throws {
        // The page is well-formed XML except for the head's void elements.
        let text = html.replacing(/<!DOCTYPE html>\n/, with: "").replacing(/<meta[^>]*>/, with: "")
        let path = try write(text)
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run([
                "/usr/bin/python3", "-c",
                "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", path,
            ])
        }
        #expect(status == 0, "\(output)")
    }

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func write(_ text: String) throws -> String { try folder.write(text, to: "page.html") }

    @Test func pageContainsFiguresPlotsAndTables() async throws {
        var report = RunReport()
        for number in 0..<2000 { report.add(result(number, milliseconds: 10 + number % 90)) }
        for number in 2000..<2010 {
            let failure = BatchFailure(.status, "the server answered 404")
            report.add(result(number, failure: failure, status: 404))
        }
        let html = report.html(title: "list.txt")
        for text in [
            "<h1><bdi>list.txt</bdi></h1>", "<dd class=\"value\">2,000</dd>", "status 404",
            "p50 (median)", "URLs per second", "bytes per second", "h0.example",
            "https://h2.example/2000", "the server answered 404",
            "time since the first fetch began",
            "<caption>", "prefers-color-scheme: dark", "role=\"img\"",
        ] {
            #expect(html.contains(text), "no \(text)")
        }
        #expect(html.components(separatedBy: "<svg").count > 4)
        #expect(!html.contains("<script") && !html.contains("http://"))
        #expect(!html.contains("NaN") && !html.contains("inf\""))
        try await parse(html)
    }

    @Test(arguments: [
        "\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)>", "</title></style><b>",
        "&lt;script&gt;", "\u{202E}gpj.exe\u{2066}", "\u{0}\u{1B}[31mred", "]]><!-- -->",
    ])
    func textsOfServersAndURLsAreEscaped(_ text: String) async throws {
        var report = RunReport()
        report.add(result(0, url: "https://user:secret@\(text).example/\(text)"))
        report.add(
            result(
                1,
                url: "https://user:secret@host/\(text)",
                failure: BatchFailure(BatchFailure.Code(text), text),
                status: nil
            )
        )
        var damaged = report
        damaged.addDamage(line: 7, text)
        let html = damaged.html(title: text)
        for mark in ["<script", "<img", "<b>", "<!--", "\u{202E}", "\u{2066}", "\u{0}", "\u{1B}"] {
            #expect(!html.contains(mark), "\(text) gives \(mark)")
        }
        #expect(!html.contains("secret"))
        #expect(text != "&lt;script&gt;" || html.contains("&amp;lt;script&amp;gt;"))
        try await parse(html)
    }

    @Test func emptyReportIsAValidPage() async throws {
        let html = RunReport().html(title: "nothing")
        #expect(html.contains("Nothing was fetched.") && html.contains("Nothing failed."))
        try await parse(html)
        var one = RunReport()
        one.add(result(0, milliseconds: 0))
        try await parse(one.html(title: "one"))
    }

    @Test func damagedLinesAreCountedAndListed() throws {
        var good: [UInt8] = []
        result(0).appendJSONLine(to: &good)
        let line = String(decoding: good, as: UTF8.self)
        let path = try folder.write(
            line + "{\"url\":1}\n" + "nonsense\n" + line + "{\"ordinal\":3,\"li",
            to: "results.jsonl"
        )
        var report = RunReport()
        try report.read(resultsOf: path)
        #expect(report.fetched == 2 && report.damaged == 3)
        #expect(report.damagedLines.map(\.line) == [2, 3, 5])
        let html = report.html(title: "x")
        #expect(html.contains("3 lines of the results could not be read"))
        #expect(html.contains("Line 2: "))
        #expect(throws: BatchFailure.self) { try report.read(resultsOf: folder.path("missing")) }
    }

    @Test func reportOfAFileEqualsTheReportOfTheRun() throws {
        var live = RunReport()
        var lines: [UInt8] = []
        for number in 0..<500 {
            var result = result(number, milliseconds: 1 + number % 50)
            if number % 100 == 7 {
                result.failure = BatchFailure(.timeout, "too late")
                result.attempts = 3
            }
            if number % 100 == 8 { result.isExisting = true }
            live.add(result)
            result.appendJSONLine(to: &lines)
        }
        let path = try folder.write(String(decoding: lines, as: UTF8.self), to: "results.jsonl")
        var read = RunReport()
        try read.read(resultsOf: path)
        #expect(read.damaged == 0 && read.count == 500 && read.retries == 10)
        #expect(read.html(title: "x") == live.html(title: "x"))
    }

    @Test func memoryOfAReportIsBounded() {
        var report = RunReport()
        let count = Rounds.count(20_000, few: 3_000)
        for number in 0..<count {
            let name = BatchFailure.Code("kind \(number)")
            let failure = number % 2 == 0 ? nil : BatchFailure(name, "")
            var result = result(number, url: "https://host\(number).example/", failure: failure)
            result.status = number
            // Including results that are days and years later.
            result.startedAt = Self.start + Int64(number) * 7_000_000_000
            report.add(result)
        }
        #expect(report.series.buckets.count <= TimeSeries.maximumCount)
        #expect(report.series.points.count <= TimeSeries.maximumCount)
        #expect(report.hosts.figures.count <= 1024 && report.hosts.forgotten > count / 2)
        #expect(report.failures.sorted.count == FailureTable.maximumKinds + 1)
        #expect(report.statuses.count <= 1000)
        #expect(report.html(title: "x").utf8.count < 400_000)
    }

    @Test func invalidTimesDoNotBreakThePage() async throws {
        var report = RunReport()
        for started in [Int64.min, -1, 0, Int64.max, Int64.max - 1] {
            var result = result(0)
            result.startedAt = started
            result.timings.total = .seconds(Int64.max)
            report.add(result)
        }
        report.add(result(1))
        try await parse(report.html(title: "x"))
    }
}
