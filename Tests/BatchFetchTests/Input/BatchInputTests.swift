import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Reads lists as a run does, with a scripted transport.
@Suite(.timeLimit(.minutes(10))) struct BatchInputTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func results(
        _ input: BatchInput,
        _ configuration: BatchConfiguration = BatchConfiguration()
    ) async throws -> (all: [BatchResult], failure: BatchFailure?) {
        let run = try Batch(configuration).start(
            input,
            fetcher: ScriptedFetcher { _, _ in .success }
        )
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        return (results.sorted { $0.ordinal < $1.ordinal }, run.inputFailure)
    }

    private func list(
        _ text: String,
        _ name: String = "list",
        _ change: (inout BatchInput.Options) -> Void = { _ in }
    ) throws -> BatchInput {
        var input = BatchInput.lists([try folder.write(text, to: name)])
        change(&input.options)
        return input
    }

    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let path = try folder.write(bytes, to: "plain")
        let (status, _) = try ChildProcess.run(["/bin/gzip", "-kf", path])
        #expect(status == 0)
        return try folder.read("plain.gz")
    }

    @Test func linesOfJSONAreParsedAsRequests() async throws {
        let (all, _) = try await results(
            try list(
                """
                {"url":"http://a/1","tag":"one"}

                {"url":"http://a/2","unknown":1}
                {"url":"http://a/3"}
                not json
                """,
                "list.jsonl"
            )
        )
        #expect(all.map(\.line) == [1, 3, 4, 5])
        #expect(all.map(\.ordinal) == [1, 2, 3, 4])
        #expect(all.map(\.isFetched) == [true, false, true, false])
        #expect(all[0].tag == "one" && all[0].url == "http://a/1")
        #expect(all[1].failure?.code == .invalidLine)
        #expect(all[1].failure?.message.contains("unknown key “unknown”") == true)
    }

    @Test func rowsAreParsedByColumnName() async throws {
        let (all, _) = try await results(
            try list("id,URL,name\n7,http://a/1,\"x, y\"\n8,,z\n9,http://a/2,\n", "list.csv") {
                $0.columns = InputColumns(url: "url", tag: "id", name: "name")
            }
        )
        #expect(all.map(\.line) == [2, 3, 4])
        #expect(all.map(\.tag) == ["7", nil, "9"])
        #expect(all[1].failure?.message == "the row has no URL in column 2")
    }

    @Test func columnsCanBeNumbers() async throws {
        let (all, _) = try await results(
            try list("x\thttp://a/1\ny\thttp://a/2\n", "list.tsv") {
                $0.columns = InputColumns(url: "2")
            }
        )
        #expect(all.map(\.url) == ["http://a/1", "http://a/2"])
    }

    @Test func missingColumnIsReportedWithTheExistingOnes() async throws {
        let (all, failure) = try await results(try list("a,b\n1,2\n", "list.csv"))
        #expect(all.isEmpty)
        #expect(failure?.message.contains("no column “url”, but “a”, “b”") == true)
    }

    @Test func patternsAreExpandedRelativeToTheBase() async throws {
        let (all, _) = try await results(
            try list("{1..3}.jpg\nhttp://b/[a]\n../x y\n{1..\n") {
                $0.base = "https://h.test/d/e/"
                $0.expandsPatterns = true
            }
        )
        #expect(
            all.map(\.url) == [
                "https://h.test/d/e/1.jpg", "https://h.test/d/e/2.jpg",
                "https://h.test/d/e/3.jpg", "http://b/[a]", "https://h.test/d/x%20y", "{1..",
            ]
        )
        #expect(all.map(\.line) == [1, 1, 1, 2, 3, 4])
        #expect(all.last?.failure?.code == .invalidLine)
    }

    @Test func patternIsExpandedOnlyAsFarAsTheLookAhead() async throws {
        let fetcher = ScriptedFetcher { _, _ in nil }
        let input = try list("http://a/{1..281474976710000}") { $0.expandsPatterns = true }
        let run = try Batch(BatchConfiguration(concurrency: 3, lookAhead: 50)).start(
            input,
            fetcher: fetcher
        )
        try await fetcher.pending(3)
        run.cancel()
        for await result in run { #expect(result.failure?.code == .cancelled) }
    }

    @Test func gzipIsDetectedByContent() async throws {
        let lines = (0..<50_000).map { "http://host\($0 % 10)/\($0)\n" }.joined()
        let half = Array(lines.utf8.prefix(lines.utf8.count / 2))
        let rest = Array(lines.utf8.dropFirst(half.count))
        // Two gzip members, as from `cat a.gz b.gz`.
        let packed = try gzip(half) + gzip(rest)
        let path = try folder.write(packed, to: "list.txt")
        let (all, failure) = try await results(.lists([path]))
        #expect(failure == nil)
        #expect(all.map(\.url) == lines.split(separator: "\n").map(String.init))
    }

    @Test func onlyPaddingIsAcceptedAfterGzipData() async throws {
        let packed = try gzip(Array("http://a/1\n".utf8))
        let padded = try folder.write(packed + [UInt8](repeating: 0, count: 100_000), to: "padded")
        let (all, failure) = try await results(.lists([padded]))
        #expect(all.map(\.url) == ["http://a/1"] && failure == nil)
        // As from `cat a.gz b.txt`: no line may be dropped silently.
        for padding in [0, 100_000] {
            let zeros = [UInt8](repeating: 0, count: padding)
            let mixed = try folder.write(packed + zeros + Array("http://a/2\n".utf8), to: "mixed")
            let (some, failure) = try await results(.lists([mixed]))
            #expect(some.map(\.url) == ["http://a/1"])
            #expect(failure?.message.contains("other data follows its gzip data") == true)
        }
    }

    @Test func damagedGzipIsReported() async throws {
        let packed = try gzip(Array(repeating: UInt8(ascii: "\n"), count: 100_000))
        let short = try folder.write(Array(packed.dropLast(10)), to: "short")
        #expect(
            try await results(.lists([short])).failure?.message
                == "the list could not be read completely: its gzip data ends too early"
        )
        var wrong = packed
        wrong[packed.count - 6] ^= 0xFF
        let damaged = try folder.write(wrong, to: "damaged")
        let message = try await results(.lists([damaged])).failure?.message
        #expect(
            message?.contains("its gzip data is damaged: incorrect") == true,
            "\(message ?? "")"
        )
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x68, 0x00], "iconv"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz -dc"),
        ] as [([UInt8], String)]
    )
    func unsupportedEncodingIsReportedWithAdvice(bytes: [UInt8], hint: String) async throws {
        let path = try folder.write(bytes, to: "list")
        let failure = try await results(.lists([path])).failure
        #expect(failure?.message.contains(hint) == true, "\(failure?.message ?? "")")
    }

    @Test func listsAreReadOneAfterAnother() async throws {
        let one = try folder.write("http://a/1\nbad line\n", to: "one")
        let two = try folder.write("http://a/2", to: "two")
        let (all, _) = try await results(.lists([one, two, "http://a/3"]))
        #expect(all.map(\.line) == [1, 2, 1, 1])
        #expect(all.map(\.ordinal) == [1, 2, 3, 4])
        #expect(all[1].failure?.message.hasPrefix("\(one): ") == true)
        #expect(all.map(\.url) == ["http://a/1", "bad line", "http://a/2", "http://a/3"])
    }

    @Test func strictRunEndsAtTheFirstMalformedLine() async throws {
        let (all, failure) = try await results(
            try list("http://a/1\nhttp://a/2\nno url\nhttp://a/3\n") { $0.isStrict = true }
        )
        #expect(!all.map(\.url).contains("http://a/3"))
        #expect(all.last?.failure != nil)
        #expect(failure?.code == .input)
        #expect(failure?.message.hasPrefix("line 3 is malformed") == true)
    }

    @Test func requestsCanComeFromTheProgram() async throws {
        var request = BatchRequest(url: "http://a/")
        request.tag = "x"
        let (all, _) = try await results(.requests([request, BatchRequest(url: "nonsense")]))
        #expect(all.map(\.tag) == ["x", nil])
        #expect(all.map(\.isFetched) == [true, false])
    }
}
