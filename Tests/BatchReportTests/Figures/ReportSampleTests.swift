import Testing

@testable import BatchFetch
@testable import BatchReport

/// What a report counts of one result.
@Suite struct ReportSampleTests {
    private func sample(_ url: String, failure: (String, String)? = nil) -> ReportSample {
        var sample = ReportSample()
        sample.url = url
        sample.line = 3
        sample.failure = failure
        return sample
    }

    @Test(
        "The host of a sample includes the port, but no user name and no password",
        arguments: [
            ("http://h/", "h"), ("HTTP://H.Example:8080/x", "h.example:8080"), ("https://h", "h"),
            ("http://u:p@h/", "h"), ("http://u@v@h:1?q@r", "h:1"), ("http://h#@x", "h"),
            ("http://h?@x", "h"), ("http://[::1]:80/", "[::1]:80"), ("http:///x", nil),
            ("http://u@/x", nil), ("no url", nil), ("", nil), ("h/x", nil),
            ("http://user:pass/word@h/", nil), ("http://h:99999/", nil),
        ] as [(String, String?)]
    )
    func hostHasItsPort(url: String, host: String?) {
        #expect(sample(url).host == host)
    }

    @Test("A host name of more than 253 bytes is ignored")
    func longHostIsNone() {
        let name = String(repeating: "h", count: 253)
        #expect(sample("http://\(name)/").host == name)
        #expect(sample("http://\(name)h/").host == nil)
    }

    @Test("The end of a fetch is its start plus its duration, unless that overflows")
    func fetchEndsAfterItsDuration() {
        var sample = sample("http://h/")
        #expect(sample.endedAt == nil)
        sample.startedAt = 100
        #expect(sample.endedAt == 100)
        sample.timings.total = .microseconds(50)
        #expect(sample.endedAt == 150)
        sample.timings.total = .seconds(-5)
        #expect(sample.endedAt == 100)
        sample.timings.total = .seconds(Int64.max)
        #expect(sample.endedAt == nil)
    }

    @Test(
        "A duration is rounded down to microseconds, from zero to the largest number",
        arguments: [
            (.zero, 0), (.nanoseconds(999), 0), (.nanoseconds(1999), 1), (.seconds(2), 2_000_000),
            (.seconds(-1), 0), (.nanoseconds(-1), 0), (.seconds(Int64.max), Int64.max),
        ] as [(Duration, Int64)]
    )
    func microsecondsAreCut(duration: Duration, microseconds: Int64) {
        #expect(duration.wholeMicroseconds == microseconds)
    }

    @Test("A result has the same figures as its line in a results file")
    func resultHasItsFigures() {
        var result = BatchResult(url: "http://h/", line: 4)
        result.status = 503
        result.failure = BatchFailure(.status, "busy")
        result.attempts = 3
        result.transferredBytes = -5
        result.timings.total = .nanoseconds(1_234_567)
        result.httpVersion = "1.1"
        let sample = ReportSample(result)
        #expect(sample.line == 4 && sample.attempts == 3 && sample.bytes == 0)
        #expect(sample.failure?.name == "status 503" && sample.failure?.message == "busy")
        #expect(sample.timings.total == .microseconds(1234), "as the line has it")
        #expect(sample.timings.queue == nil && sample.httpVersion == "1.1")
    }

    // MARK: Failures

    @Test("The most frequent failures come first, each with its first example")
    func frequentFailuresComeFirst() {
        var table = FailureTable()
        table.add(sample("http://fetched/"))
        table.add(sample("http://u:secret@one/", failure: ("timeout", "first")))
        for number in 0..<3 {
            table.add(sample("http://two/\(number)", failure: ("status 404", "n\(number)")))
        }
        table.add(sample("http://three/", failure: ("dns", "d")))
        let rows = table.sorted
        #expect(rows.map(\.name) == ["status 404", "dns", "timeout"])
        #expect(rows.map(\.count) == [3, 1, 1])
        #expect(rows[0].url == "http://two/0" && rows[0].message == "n0" && rows[0].line == 3)
        #expect(rows[2].url == "http://…@one/")
    }

    @Test("Long texts are shortened, and kinds of failures beyond the limit are merged")
    func textsAndKindsAreLimited() {
        var table = FailureTable()
        let long = String(repeating: "é", count: 1000)
        table.add(sample("http://h/" + long, failure: (long, long)))
        let row = table.sorted[0]
        #expect(row.name == long.prefix(60) + "…" && row.message == long.prefix(300) + "…")
        #expect(row.url.count == 201 && row.url.hasSuffix("…"))
        for number in 0..<150 {
            table.add(sample("http://h/\(number)", failure: ("kind \(number)", "m")))
        }
        table.add(sample("http://h/", failure: (long, "again")))
        table.add(sample("http://h/", failure: ("kind 5", "again")))
        let rows = table.sorted
        #expect(rows.count == FailureTable.maximumKinds + 1)
        #expect(rows[0].name == "other" && rows[0].count == 51 && rows[0].url == "http://h/99")
        #expect(rows.reduce(0) { $0 + $1.count } == 153)
        #expect(Set(rows[1...2].map(\.count)) == [2], "known kinds are still counted")
    }

    // MARK: Hosts and phases

    @Test("Hosts with equal figures are in the order of their names")
    func equalHostsAreInOrder() {
        var table = HostTable()
        for host in ["b", "c", "a"] {
            for isFailed in [true, false] {
                var sample = sample("http://\(host)/", failure: isFailed ? ("x", "") : nil)
                sample.timings.total = .milliseconds(5)
                sample.bytes = 100
                table.add(sample)
            }
        }
        #expect(table.slowest(5).map(\.host) == ["a", "b", "c"])
        #expect(table.mostFailed(2).map(\.host) == ["a", "b"])
        #expect(table.slowest(0).isEmpty)
        let figures = table.slowest(1).first?.figures
        #expect(figures?.fetched == 1 && figures?.failed == 1 && figures?.bytes == 200)
        #expect(figures?.latency.count == 1, "only fetched URLs have a latency")
    }

    @Test("A table with room for one host keeps the slower one")
    func smallestTableKeepsTheSlowerHost() {
        var table = HostTable(capacity: 0)
        for (host, milliseconds) in [("a", 1), ("b", 30), ("c", 20)] {
            var sample = sample("http://\(host)/")
            sample.timings.total = .milliseconds(milliseconds)
            table.add(sample)
        }
        #expect(table.figures.keys.sorted() == ["b"] && table.forgotten == 2)
    }

    @Test("Each phase counts the URLs that have it")
    func phaseCountsItsURLs() {
        var phases = PhaseTimes()
        phases.add(BatchTimings())
        var timings = BatchTimings()
        timings.queue = .seconds(1)
        timings.tls = .seconds(2)
        phases.add(timings)
        timings.total = .seconds(3)
        phases.add(timings)
        #expect(phases.rows.map(\.times.count) == [2, 0, 0, 2, 0, 1])
        #expect(phases.rows.map(\.times.maximum)[3] == .seconds(2))
        #expect(Set(phases.rows.map(\.name)).count == 6)
    }
}
