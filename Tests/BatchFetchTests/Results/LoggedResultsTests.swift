import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Results of earlier runs that are read back, whatever texts they have.
@Suite struct LoggedResultsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func logged(_ result: BatchResult) throws -> LoggedResult {
        var bytes: [UInt8] = []
        result.appendJSONLine(to: &bytes)
        return try #require(LoggedResult(bytes.dropLast()))
    }

    @Test(arguments: [
        "http://a.example/x", "", "\"", "\\", "a\\\"b", #"","url":"x"#, "ä/\u{1F600}",
        "\u{0}\u{7F}",
        "\r\n\t", #"{"ordinal":9,"ok":false,"path":"p"}"#, "\u{2028}",
    ])
    func writtenTextsAreReadBack(text: String) throws {
        var result = BatchResult(url: text, line: 1, ordinal: 5)
        result.tag = text
        result.path = text
        let line = try logged(result)
        #expect(line.ordinal == 5 && line.isFetched)
        #expect(line.url == Array(text.utf8))
        #expect(line.path == Array(text.utf8))
        result.failure = BatchFailure(.status, text)
        #expect(try logged(result).isFetched == false)
    }

    @Test func resultWithoutAFileHasNoPath() throws {
        var result = BatchResult(url: "http://a/", line: 1)
        result.shard = "shard-00000.tar"
        #expect(try logged(result).path == nil)
    }

    @Test(arguments: [
        "", "{}", "http://a/", #"{"ordinal":null}"#, #"{"ordinal":-1}"#, #"{"ordinal":}"#,
        #"{"ordinal": 1}"#, #"{"\"ordinal\":1}"#, #"{"ordinal":99999999999999999999}"#,
    ])
    func otherLineIsNotAResult(line: String) {
        #expect(LoggedResult(Array(line.utf8)) == nil)
    }

    @Test func damagedTextOfAResultIsMissing() throws {
        let line = #"{"ordinal":1,"url":"http://a/\x","path":"\u00"#
        let result = try #require(LoggedResult(Array(line.utf8)))
        #expect(result.url == nil && result.path == nil)
        let plain = try #require(LoggedResult(Array(#"{"ordinal":1}"#.utf8)))
        #expect(plain.url == nil)
    }

    @Test func fieldsAreFoundAsWritten() throws {
        var result = BatchResult(url: "http://a/", line: 1)
        result.etag = "\"1\""
        let line = try logged(result)
        let etag = Array(#""etag":""#.utf8)
        let date = Array(#""last_modified":""#.utf8)
        #expect(line.contains(oneOf: [date, etag]) && !line.contains(oneOf: [date]))
        #expect(!line.contains(oneOf: []) && !line.contains(oneOf: [[]]))
    }

    // MARK: Files

    private func read(_ path: String) throws -> (ordinals: [Int], offsets: [Int64]) {
        var ordinals: [Int] = []
        var offsets: [Int64] = []
        let file = try LoggedResults.open(path)
        try LoggedResults.read(file) { line, offset in
            ordinals.append(line.ordinal)
            offsets.append(offset)
        }
        return (ordinals, offsets)
    }

    /// Longer than the pieces in which the file is read.
    @Test func longFileIsReadWithTheOffsetOfEachLine() throws {
        let text = (1...40_000).map { "{\"ordinal\":\($0),\"url\":\"http://a/\($0)\"}\n" }
        let path = try folder.write(text.joined(), to: "results")
        let (ordinals, offsets) = try read(path)
        #expect(ordinals == Array(1...40_000))
        let ends = text.reduce(into: [Int64(0)]) {
            $0.append(($0.last ?? 0) + Int64($1.utf8.count))
        }
        #expect(offsets == ends.dropLast())
    }

    @Test(arguments: ["", "{\"ordinal\":3", "no result"])
    func lineWithoutAnEndIsIgnored(rest: String) throws {
        let path = try folder.write("{\"ordinal\":1}\n{\"ordinal\":2}\n\(rest)", to: "results")
        #expect(try read(path).ordinals == [1, 2])
    }

    @Test(arguments: ["http://a/\n", "\n", "\u{1F}\u{8B}\n"])
    func fileWithOtherLinesIsRejectedByName(line: String) throws {
        let path = try folder.write("{\"ordinal\":1}\n\(line)", to: "results")
        let failure = #expect(throws: BatchFailure.self) { try read(path) }
        #expect(failure?.code == .input)
        #expect(
            failure?.message == "“\(path)” has lines that aren't results: "
                + "name those of an earlier run, not compressed"
        )
    }

    @Test func missingFileIsReportedWithAHint() throws {
        let path = folder.path("missing")
        let failure = #expect(throws: BatchFailure.self) { try read(path) }
        #expect(failure?.code == .input)
        let reason = "cannot open “\(path)”: No such file or directory (errno 2)"
        #expect(failure?.message == "\(reason): name the results of an earlier run")
    }
}
