import HTTPTypes
import Posix
import Testing

@testable import BatchFetch

/// A line of the list becomes a job, or a failure with the line's number and the reason.
@Suite struct InputEntryTests {
    private let now = MonotonicTime(nanoseconds: 5)

    private func entry(
        _ content: InputLine.Content,
        line: Int = 3,
        ordinal: Int? = nil,
        source: String? = nil
    ) -> InputEntry {
        var line = InputLine(number: line, content: content)
        line.source = source
        return InputEntry(line, ordinal: ordinal, at: now)
    }

    private func job(_ entry: InputEntry) -> FetchJob? {
        if case .job(let job) = entry { job } else { nil }
    }

    private func result(_ entry: InputEntry) -> BatchResult? {
        if case .done(let result) = entry { result } else { nil }
    }

    @Test func urlBecomesAJob() throws {
        let made = try #require(job(entry(.text("http://a.example/x"), ordinal: 9)))
        #expect(made.target.hostKey == "a.example:80")
        #expect(made.line == 3 && made.ordinal == 9 && made.attempts == 0)
        #expect(made.waitingSince == now)
    }

    @Test func ordinalOfASingleListIsItsLine() {
        #expect(entry(.text("http://a/")).ordinal == 3)
        #expect(entry(.text("nonsense")).ordinal == 3)
    }

    @Test func detailsOfARequestAreKept() throws {
        var request = BatchRequest(url: "http://a/")
        request.method = .post
        request.body = .bytes([1, 2, 3])
        request.tag = "t"
        let made = try #require(job(entry(.request(request))))
        #expect(made.target.details?.request == request)
        #expect(made.weight == 3 && !made.target.isIdempotent)
    }

    /// With several lists the line number alone doesn't say which line failed.
    @Test func failureNamesTheListItComesFrom() throws {
        let one = try #require(result(entry(.text("a.example/x"), source: "second.txt")))
        #expect(one.failure?.code == .invalidURL)
        #expect(one.failure?.message.hasPrefix("second.txt: ") == true)
        #expect(one.url == "a.example/x" && one.line == 3 && one.attempts == 0)
        let other = try #require(result(entry(.text("a.example/x"))))
        #expect(other.failure?.message.hasPrefix("second.txt") == false)
    }

    @Test func tooLongLineIsShortenedAndTheLimitIsNamed() throws {
        let failed = try #require(result(entry(.tooLong(beginning: "http://a/xx"), line: 7)))
        #expect(failed.url == "http://a/xx…")
        #expect(failed.failure?.code == .lineTooLong)
        let message = failed.failure?.message ?? ""
        #expect(message.contains("line 7") && message.contains("16 KiB"))
        #expect(message.contains("body_file"))
    }

    @Test func lineThatIsNotUTF8IsReported() throws {
        let failed = try #require(result(entry(.notUTF8(repaired: "http://a/\u{FFFD}"), line: 7)))
        #expect(failed.url == "http://a/\u{FFFD}")
        #expect(failed.failure == BatchFailure(.invalidURL, "line 7 is not UTF-8"))
    }

    @Test func malformedLineKeepsItsReason() throws {
        let reason = BatchFailure(.invalidLine, "“url” is missing")
        let failed = try #require(result(entry(.malformed(beginning: "{\"x\"", reason))))
        #expect(failed.url == "{\"x\"" && failed.failure == reason)
    }

    @Test func entryBelongsToExactlyOnePart() throws {
        let shards = try (0..<3).map { try #require(InputShard(index: $0, count: 3)) }
        for number in 1...100 {
            for text in ["http://host\(number).example/", "nonsense"] {
                let entry = entry(.text(text), line: number)
                #expect(shards.count { $0.contains(entry) } == 1)
            }
        }
    }

    /// Otherwise two runs together would exceed the limits of a host.
    @Test func hostIsInOnePartWhateverItsURL() throws {
        let shard = try #require(InputShard(index: 0, count: 7))
        for number in 1...50 {
            let host = "h\(number).example"
            let all = ["http://\(host)/", "https://\(host)/x?y", "http://\(host.uppercased()):81/"]
                .map { shard.contains(entry(.text($0), line: number * 2)) }
            #expect(Set(all).count == 1)
        }
    }

    @Test func malformedLinesAreSpreadOverTheParts() throws {
        let shard = try #require(InputShard(index: 1, count: 4))
        let count = (1...4000).count { shard.contains(entry(.text("nonsense"), line: $0)) }
        #expect((800...1200).contains(count))
    }
}
