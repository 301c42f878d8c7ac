import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import BatchFetch

/// The log events of a run.
@Suite(.timeLimit(.minutes(10))) struct RunLogTests {
    private let recorder = LogRecorder()

    private func configuration(_ level: Logger.Level, retries: Int = 1) -> BatchConfiguration {
        var configuration = BatchConfiguration(
            retry: BatchRetryPolicy(
                limit: retries,
                baseDelay: .zero,
                maximumRetryAfter: .milliseconds(1)
            )
        )
        configuration.logger = recorder.logger(level)
        return configuration
    }

    private func fetch(
        _ urls: [String],
        _ configuration: BatchConfiguration,
        _ handler: @escaping @Sendable (RecordedRequest) -> Reply
    ) async throws -> LoopbackServer {
        let server = try LoopbackServer(handler: handler)
        let all = urls.map { $0.replacing("SERVER", with: "127.0.0.1:\(server.port)") }
        for await _ in try Batch(configuration).start(.urls(all)) {}
        return server
    }

    @Test func runLogsRetriesPausesStartAndEnd() async throws {
        _ = try await fetch(
            ["http://user:secret@SERVER/busy?token=secret", "http://SERVER/good"],
            configuration(.debug)
        ) { $0.target == "/good" ? .text("x") : .status(503).header("Retry-After", "1") }
        let lines = recorder.lines
        #expect(lines.first?.hasPrefix("notice run started concurrency=256 per_host=6") == true)
        #expect(lines.last?.hasPrefix("notice run ended bytes=") == true)
        #expect(lines.last?.contains("failed=1 fetched=1 retries=1") == true)
        let retry = try #require(lines.first { $0.hasPrefix("debug retry attempt=2 code=status") })
        #expect(retry.contains("reason=the server answered 503"))
        #expect(retry.contains("/busy?…"))
        #expect(lines.contains { $0.hasPrefix("info host paused host=127.0.0.1:") })
        #expect(lines.contains { $0.hasPrefix("debug failed attempts=2 code=status") })
        #expect(lines.contains("debug list read"))
        #expect(!lines.contains { $0.contains("secret") }, "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("trace") })
    }

    @Test func traceLevelLogsEachAttempt() async throws {
        _ = try await fetch(["http://SERVER/good"], configuration(.trace)) { _ in .text("x") }
        #expect(recorder.lines.contains { $0.hasPrefix("trace attempt started attempt=1 url=") })
        #expect(recorder.lines.contains { $0.hasPrefix("trace fetched attempts=1 line=1") })
    }

    @Test func eventsBelowTheLevelAreNotLogged() async throws {
        _ = try await fetch(["http://SERVER/bad"], configuration(.error)) { _ in .status(500) }
        #expect(recorder.lines.isEmpty, "\(recorder.lines)")
    }

    @Test func breakersAndRobotsAreLogged() async throws {
        var configuration = configuration(.debug, retries: 0)
        configuration.politeness.breaker = BreakerPolicy(threshold: 2, pause: .zero, rounds: 10)
        configuration.politeness.obeysRobots = true
        configuration.concurrencyPerHost = 1
        let urls = (0..<6).map { "http://SERVER/\($0)" }
        _ = try await fetch(urls, configuration) { request in
            switch request.target {
            case "/robots.txt": .text("User-agent: *\nDisallow: /3\n")
            case "/5": .text("x")
            default: .status(500)
            }
        }
        let lines = recorder.lines
        #expect(lines.contains { $0.hasPrefix("debug robots.txt read crawl_delay=0.000 host=") })
        let opened = try #require(lines.first { $0.hasPrefix("warning breaker opened host=") })
        #expect(opened.contains("reason=the server answered 500"))
        #expect(lines.contains { $0.hasPrefix("info breaker closed host=") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("debug failed") && $0.contains("code=robots") })
    }

    @Test func malformedLinesAreReportedWithoutSecrets() async throws {
        let lines = [
            #"{"url":"https://a/","headers":{"Authorization":"secret"},"oops":1}"#,
            #"{"url":"https://u:secret@a/{1..","method":"GET"}"#,
            "https://a/ secret", "u:secret@a/?secret", "https://u:se/secret@a/", "what secret",
        ]
        for format in [InputFormat.lines, .jsonLines, .csv] {
            let folder = try TemporaryDirectory()
            let text = (format == .csv ? ["url"] : []) + lines
            var input = BatchInput.file(try folder.write(text.joined(separator: "\n"), to: "list"))
            input.options.format = format
            input.options.expandsPatterns = format == .jsonLines
            let run = try Batch(configuration(.trace)).start(input)
            for await result in run {
                #expect(result.failure?.message.contains("secret") == false, "\(result)")
            }
            for failure in run.summary.topFailures { #expect(!failure.example.contains("secret")) }
        }
        #expect(recorder.lines.count { $0.hasPrefix("debug failed") } == 18)
        #expect(!recorder.lines.contains { $0.contains("secret") }, "\(recorder.lines)")
    }

    @Test func slowLogHandlerDoesNotDelayTheRun() throws {
        let gate = Gate()
        let log = try RunLog(
            Logger(label: "test") { _ in SlowHandler(gate: gate, recorder: recorder) }
        )
        log.start()
        for number in 0..<30_000 { log.add(.attemptStarted(url: "u", attempt: number)) }
        log.add(.stopping(isCancelling: false))
        gate.open()
        log.end()
        #expect(recorder.lines.contains { $0.hasPrefix("warning log entries dropped count=") })
    }
}

/// A log handler that blocks until the gate is open.
private struct SlowHandler: LogHandler {
    let gate: Gate
    let recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.trace

    func log(event: LogEvent) {
        gate.waitBlocking()
        guard event.level > .trace else { return }
        recorder.logger(.trace).log(level: event.level, event.message, metadata: event.metadata)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
