import BatchFetch
import Foundation
import Testing

@testable import BatchReport

/// Lines of results, as reports read them.
@Suite struct ReportLineTests {
    private func sample(_ text: String) throws(JSONProblem) -> ReportSample {
        try ReportLine.sample(of: text, using: JSONDecoder())
    }

    /// A line with some fields, and those that every line must have.
    private func sample(with fields: String) throws -> ReportSample {
        try sample(
            "{\"line\":7,\"url\":\"http://h/\",\"ok\":true,\"attempts\":2,\"bytes\":5\(fields)}"
        )
    }

    @Test("A line with only the required fields is a fetched URL")
    func requiredFieldsAreEnough() throws {
        let sample = try sample(with: "")
        #expect(sample.line == 7 && sample.url == "http://h/" && sample.failure == nil)
        #expect(sample.attempts == 2 && sample.bytes == 5 && sample.status == nil)
        #expect(!sample.isExisting && !sample.isUnchanged && !sample.isConnectionReused)
        #expect(sample.startedAt == nil && sample.httpVersion == nil && sample.timings.total == nil)
    }

    @Test("The line of a duplicate counts as no URL")
    func duplicateIsNotCounted() throws {
        let sample = try sample(
            "{\"line\":7,\"url\":\"u\",\"ok\":null,\"attempts\":0,\"bytes\":0,\"duplicate_of\":3}"
        )
        #expect(sample.isDuplicate && sample.failure == nil)
        var report = RunReport()
        report.add(sample)
        #expect(report.count == 0 && report.retries == 0)
        var result = BatchResult(url: "http://h/", line: 1)
        result.duplicateOf = 3
        report.add(result)
        #expect(report.count == 0)
    }

    @Test("All fields of a line are read, and times are in seconds")
    func allFieldsAreRead() throws {
        let sample = try sample(
            with: """
                ,"status":206,"reused":true,"existing":true,"http_version":"2",\
                "started_at":"1970-01-01T00:00:01.500000Z","unknown":[1],\
                "t":{"queue":1,"dns":0.5,"connect":0.25,"tls":0.125,"ttfb":0.0625,"total":2.5}
                """
        )
        #expect(sample.status == 206 && sample.isConnectionReused && sample.isExisting)
        #expect(sample.httpVersion == "2" && sample.startedAt == 1_500_000)
        #expect(sample.timings.queue == .seconds(1))
        #expect(sample.timings.nameLookup == .milliseconds(500))
        #expect(sample.timings.connect == .milliseconds(250))
        #expect(sample.timings.tls == .milliseconds(125))
        #expect(sample.timings.firstByte == .microseconds(62_500))
        #expect(sample.timings.total == .milliseconds(2500))
        #expect(sample.endedAt == 4_000_000)
    }

    @Test(
        "A failure is named by its code, or by the number of its status",
        arguments: [
            ("{\"code\":\"timeout\",\"message\":\"too late\"}", "null", "timeout", "too late"),
            ("{\"code\":\"status\",\"message\":\"m\"}", "404", "status 404", "m"),
            ("{\"code\":\"status\",\"message\":\"m\"}", "null", "status 0", "m"),
            ("null", "500", "unknown", ""),
        ]
    )
    func failureIsNamedByItsCode(
        error: String,
        status: String,
        name: String,
        message: String
    ) throws {
        let sample = try sample(
            "{\"line\":1,\"url\":\"u\",\"ok\":false,\"attempts\":1,\"bytes\":0,\"status\":\(status),\"error\":\(error)}"
        )
        #expect(sample.failure?.name == name && sample.failure?.message == message)
    }

    @Test(
        "A negative or implausibly long time is ignored",
        arguments: [
            ("-0.1", nil), ("1e9", nil), ("1e300", nil), ("0", 0),
            ("999999999", 999_999_999_000_000),
            ("0.0000004", 0), ("0.0000006", 1), ("null", nil),
        ] as [(String, Int64?)]
    )
    func implausibleTimesAreNotMeasured(seconds: String, microseconds: Int64?) throws {
        let sample = try sample(with: ",\"t\":{\"total\":\(seconds)}")
        #expect(sample.timings.total == microseconds.map { .microseconds($0) })
    }

    @Test("Attempts and bytes are limited, and an unchanged URL has no bytes")
    func countsAreLimited() throws {
        let line = { (attempts: Int, bytes: Int, rest: String) in
            "{\"line\":1,\"url\":\"u\",\"ok\":true,\"attempts\":\(attempts),\"bytes\":\(bytes)\(rest)}"
        }
        #expect(try sample(line(-1, -1, "")).attempts == 0)
        #expect(try sample(line(-1, -1, "")).bytes == 0)
        #expect(try sample(line(.max, .max, "")).attempts == 1_000_000)
        #expect(try sample(line(1, .max, "")).bytes == .max)
        #expect(try sample(line(1, 100, ",\"unchanged\":true")).bytes == 0)
        #expect(try sample(line(1, 100, ",\"unchanged\":false")).bytes == 100)
    }

    @Test(
        "The error of a line that isn't a result names the wrong field",
        arguments: [
            ("", "it is not a JSON object, or one of its numbers doesn't fit"),
            ("nonsense", "it is not a JSON object, or one of its numbers doesn't fit"),
            ("{", "it is not a JSON object, or one of its numbers doesn't fit"),
            ("{}", "“line” is missing"),
            ("{\"line\":1}", "“url” is missing"),
            (
                "{\"line\":\"1\",\"url\":\"u\"}",
                "“line” has a value of the wrong kind: use a whole number"
            ),
            ("{\"line\":1,\"url\":2}", "“url” has a value of the wrong kind: use a string"),
            ("{\"line\":null,\"url\":\"u\"}", "“line” is null: use a whole number, or remove it"),
            (
                "{\"line\":1,\"url\":\"u\",\"ok\":null,\"attempts\":0,\"bytes\":0}",
                "“ok” is missing"
            ),
            ("[]", "it is not a JSON object: write {\"url\": \"https://…\"}"),
        ]
    )
    func damageIsDescribed(text: String, message: String) {
        let problem = #expect(throws: JSONProblem.self) { _ = try sample(text) }
        #expect(problem?.message == message)
    }
}
