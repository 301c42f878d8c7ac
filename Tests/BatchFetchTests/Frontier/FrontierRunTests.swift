import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import BatchFetch

/// Runs lists that are sorted by host, with a slow first host, over real sockets.
@Suite(.timeLimit(.minutes(10))) struct FrontierRunTests {
    /// Opened to let the slow host, the first of the list, answer.
    private let gate: Gate
    private let slow: LoopbackServer
    private let quick: LoopbackServer
    private let folder: TemporaryDirectory

    init() throws {
        let gate = Gate()
        self.gate = gate
        slow = try LoopbackServer { _ in .text("slow").after(gate) }
        quick = try LoopbackServer { _ in .text("quick") }
        folder = try TemporaryDirectory()
    }

    /// `count` URLs of the slow host, and `count` lines for the quick one; every fifth of these
    /// isn't a URL.
    private func lines(_ count: Int) -> [String] {
        (0..<count).map { "\(slow.url)/\($0)" }
            + (0..<count).map { $0 % 5 == 4 ? "nonsense \($0)" : "\(quick.url)/\($0)" }
    }

    private var configuration: BatchConfiguration {
        var configuration = BatchConfiguration(concurrency: 32, concurrencyPerHost: 2)
        configuration.lookAhead = 50
        // A request that waits for the gate takes as long as all the others.
        configuration.timeouts.stall = nil
        return configuration
    }

    private func expectAll(_ results: [BatchResult], of lines: [String]) {
        #expect(results.count == lines.count)
        #expect(results.map(\.ordinal).sorted() == Array(1...lines.count))
        for result in results {
            #expect(result.line == result.ordinal)
            #expect(result.url == lines[result.ordinal - 1])
            #expect(result.isFetched == result.url.hasPrefix("http"))
        }
    }

    @Test func hangingHostDelaysNoOtherHost() async throws {
        let lines = lines(2000)
        let list = try folder.write(lines.joined(separator: "\n"), to: "list")
        let recorder = LogRecorder()
        var configuration = configuration
        configuration.concurrencyPerHost = 1
        configuration.logger = recorder.logger(.info)
        let run = try Batch(configuration).start(.file(list))
        var results: [BatchResult] = []
        for await result in run {
            results.append(result)
            // All results of the other host arrive before the first host sends a byte.
            if results.count == 2000 {
                #expect(slow.requestCount == 1)
                #expect(run.progress.waiting == 1999)
                gate.open()
            }
        }
        expectAll(results, of: lines)
        #expect(results.prefix(2000).allSatisfy { !$0.url.hasPrefix(slow.url) })
        #expect(slow.requestCount == 2000)
        #expect(run.inputFailure == nil)
        #expect(run.progress.waiting == 0)
        #expect(slow.requests.map(\.target) == (0..<2000).map { "/\($0)" })
        #expect(recorder.lines.contains { $0.contains("spilling it to disk") })
    }

    /// All details of a request are kept. An iterator that blocks delays no other request.
    @Test func spilledRequestKeepsItsDetails() async throws {
        let requests = SlowRequests(
            gate: gate,
            urls: (0..<1000).map { $0 < 500 ? slow.url : quick.url }
        )
        let run = try Batch(configuration).start(.requests(requests))
        var results: [BatchResult] = []
        for await result in run {
            results.append(result)
            // The quick host's requests arrive in seven portions of 128.
            if results.count == 396 { gate.open() }
        }
        #expect(results.map(\.ordinal).sorted() == Array(1...1000))
        #expect(results.allSatisfy { $0.isFetched && $0.tag == "tag \($0.ordinal - 1)" })
        for request in slow.requests + quick.requests {
            let number = request.target.dropFirst()
            #expect(request.method == "POST")
            #expect(request.header("Accept") == "type/\(number)")
            #expect(request.body == Array("body \(number)".utf8))
        }
    }

    @Test func runWithASpilledQueueCanBeStopped() async throws {
        let run = try Batch(configuration).start(.urls(lines(1000)))
        var results: [BatchResult] = []
        for await result in run {
            results.append(result)
            if results.count == 1000 { run.cancel() }
        }
        #expect(results.count == 1002)
        #expect(results.suffix(2).allSatisfy { $0.failure?.code == .cancelled })
        #expect(run.progress.waiting == 0)
        #expect(run.progress.inFlight == 0)
    }

    @Test func strictRunEndsAtTheFirstMalformedLine() async throws {
        var input = BatchInput.urls(lines(1000))
        input.options.isStrict = true
        let recorder = LogRecorder()
        var configuration = configuration
        configuration.logger = recorder.logger(.error)
        let run = try Batch(configuration).start(input)
        async let ended: Void = { for await _ in run {} }()
        try await recorder.line { $0.hasPrefix("error list ended early") }
        gate.open()
        await ended
        #expect(run.inputFailure?.message.contains("line 1005 ") == true)
    }

    /// A run resumes from the journal of a run that was ended in the middle.
    @Test func journalResumesARunWithASpilledQueue() async throws {
        let lines = lines(1000)
        let list = try folder.write(lines.joined(separator: "\n"), to: "list")
        for round in 0..<2 {
            let journal = try BatchJournal(
                path: folder.path("journal"),
                lists: [list],
                results: folder.path("results")
            )
            #expect(journal.doneCount == round * 1000)
            let log = try ResultLog(journal: journal)
            let run = try Batch(configuration).start(.file(list), journal: journal)
            var count = 0
            for await result in run {
                log.append(result)
                count += 1
                if round == 0, count == 1000 {
                    run.cancel()
                    gate.open()
                }
            }
            try log.close()
        }
        let text = String(decoding: try folder.read("results"), as: UTF8.self)
        let results = try ResultLine.lines(text)
        #expect(results.map(\.ordinal).sorted() == Array(1...2000))
        for result in results { #expect(result.url == lines[result.ordinal - 1]) }
        #expect(quick.requestCount == 800)
    }

    @Test func missingTemporaryFolderIsReported() async throws {
        let missing = folder.path("missing")
        #expect {
            _ = try FrontierFeeder(
                RunCore(
                    BatchConfiguration(),
                    fetcher: NoFetcher(),
                    sinks: SinkFactory(planning: .discard),
                    source: ListSource(InputReader(.urls([]), file: .noFile))
                ),
                folder: missing
            )
        } throws: { error in
            "\(error)".contains(missing) && "\(error)".contains("TMPDIR")
        }
    }
}

/// POST requests with all details; the iterator blocks before the last one.
private struct SlowRequests: Sequence, IteratorProtocol, Sendable {
    let gate: Gate
    let urls: [String]
    private var number = 0

    init(gate: Gate, urls: [String]) {
        self.gate = gate
        self.urls = urls
    }

    mutating func next() -> BatchRequest? {
        guard number < urls.count else { return nil }
        if number == urls.count - 1 { gate.waitBlocking() }
        var request = BatchRequest(url: "\(urls[number])/\(number)")
        request.method = .post
        request.headerFields[.accept] = "type/\(number)"
        request.body = .bytes(Array("body \(number)".utf8))
        request.tag = "tag \(number)"
        number += 1
        return request
    }
}
