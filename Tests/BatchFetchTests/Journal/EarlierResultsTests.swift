import TestSupport
import Testing

@testable import BatchFetch

@Suite struct EarlierResultsTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func line(_ ordinal: Int, _ url: String, ok: Bool) -> String {
        "{\"ordinal\":\(ordinal),\"url\":\"\(url)\",\"ok\":\(ok)}\n"
    }

    private func results(_ texts: String...) throws -> EarlierResults {
        try EarlierResults(
            paths: texts.enumerated().map { try folder.write($1, to: "\($0)") }
        )
    }

    @Test func fetchedURLIsSkippedAtAnyLine() throws {
        let results = try results(line(1, "http://a/", ok: true) + line(2, "http://b/", ok: false))
        #expect(results.wasFetchedEarlier("http://a/", ordinal: 1))
        #expect(results.wasFetchedEarlier("http://a/", ordinal: 7))
        #expect(!results.wasFetchedEarlier("http://b/", ordinal: 2))
        #expect(!results.wasFetchedEarlier("http://b/", ordinal: 1))
        #expect(!results.wasFetchedEarlier("http://c/", ordinal: 1))
    }

    @Test func lastLineAboutAURLCounts() throws {
        let first = line(1, "http://a/", ok: false) + line(2, "http://b/", ok: true)
        let second = line(1, "http://a/", ok: true) + line(2, "http://b/", ok: false)
        let inOrder = try results(first, second)
        #expect(inOrder.wasFetchedEarlier("http://a/", ordinal: 1))
        #expect(!inOrder.wasFetchedEarlier("http://b/", ordinal: 2))
        let inOneFile = try results(first + second)
        #expect(inOneFile.wasFetchedEarlier("http://a/", ordinal: 1))
        #expect(!inOneFile.wasFetchedEarlier("http://b/", ordinal: 2))
        let reversed = try results(second, first)
        #expect(!reversed.wasFetchedEarlier("http://a/", ordinal: 1))
        #expect(reversed.wasFetchedEarlier("http://b/", ordinal: 2))
    }

    /// Two requests for one URL may differ.
    @Test func linesWithTheSameURLCountSeparately() throws {
        let results = try results(line(1, "http://a/", ok: true) + line(2, "http://a/", ok: false))
        #expect(results.wasFetchedEarlier("http://a/", ordinal: 1))
        #expect(!results.wasFetchedEarlier("http://a/", ordinal: 2))
        #expect(!results.wasFetchedEarlier("http://a/", ordinal: 3))
    }

    @Test func requestWithDetailsIsMatchedByItsOrdinal() throws {
        let results = try results(line(1, "http://a/", ok: true))
        #expect(results.wasFetchedEarlier("http://a/", ordinal: 1, isPlain: false))
        #expect(!results.wasFetchedEarlier("http://a/", ordinal: 2, isPlain: false))
    }

    @Test func shiftedLineIsMatchedByItsURL() throws {
        let results = try results(
            line(3, "http://a/", ok: false) + line(4, "http://b/", ok: true)
                + line(7, "http://a/", ok: true)
        )
        // With one more line above them.
        #expect(!results.wasFetchedEarlier("http://a/", ordinal: 4))
        #expect(!results.wasFetchedEarlier("http://a/", ordinal: 8))
        #expect(results.wasFetchedEarlier("http://b/", ordinal: 5))
    }

    @Test func lastOfSeveralRunsCounts() throws {
        let shorter = try results(line(5, "http://a/", ok: false), line(1, "http://a/", ok: true))
        #expect(shorter.wasFetchedEarlier("http://a/", ordinal: 5))
        let longer = try results(line(3, "http://a/", ok: true), line(7, "http://a/", ok: false))
        #expect(!longer.wasFetchedEarlier("http://a/", ordinal: 3))
    }

    @Test func escapedURLsAreUnescaped() throws {
        let results = try results(
            line(1, #"http://a/\"\u00e9"#, ok: true) + "{\"ordinal\":2,\"url\":\"ht"
        )
        #expect(results.wasFetchedEarlier("http://a/\"é", ordinal: 1))
    }

    @Test func fileThatHasNoResultsIsReportedByName() throws {
        let path = try folder.write("http://example.org/\n", to: "list")
        let failure = #expect(throws: BatchFailure.self) { try EarlierResults(paths: [path]) }
        #expect(failure?.code == .input && failure?.message.contains(path) == true)
        let missing = #expect(throws: BatchFailure.self) {
            try EarlierResults(paths: [folder.path("none")])
        }
        #expect(missing?.code == .input)
    }
}
