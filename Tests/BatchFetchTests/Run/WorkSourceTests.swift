import CurlResilience
import CurlTransport
import HTTPTypes
import Posix
import Synchronization
import TestSupport
import Testing

@testable import BatchFetch

/// Runs whose URLs come from another source than a list.
@Suite(.timeLimit(.minutes(10))) struct WorkSourceTests {
    /// Hands out URLs with tickets, and holds one host.
    private final class Source: WorkSource {
        private let portions: [[WorkItem]]
        private let host: String
        let taken = Watched<[WorkItem]>([])
        let delays = Watched<[Duration]>([])
        /// The receiver, once the source waits for ``last``.
        let receiver = Watched<WorkReceiver?>(nil)
        /// Further work, for which the reading thread waits; `nil` if there is none.
        private let last: Mutex<[WorkItem]?>

        init(_ portions: [[WorkItem]], host: String, last: [WorkItem]? = nil) {
            self.portions = portions
            self.host = host
            self.last = Mutex(last)
        }

        func feed(_ run: WorkReceiver) {
            for portion in portions { _ = run.add(portion) }
            if let last = last.withLock({ $0 }) {
                receiver.update { $0 = run }
                if run.wait() { _ = run.add(last) }
                receiver.update { $0 = nil }
            }
            run.end(nil)
        }

        func holds(host: String) -> Bool { host == self.host }

        func take(_ work: WorkItem, after delay: Duration) {
            taken.update { $0.append(work) }
            delays.update { $0.append(delay) }
        }
    }

    private func item(_ url: String, ticket: UInt64) throws -> WorkItem {
        var item = WorkItem(
            FetchJob(target: try FetchTarget(url), line: 1, ordinal: 1, waitingSince: .now)
        )
        item.ticket = ticket
        return item
    }

    private static func redirecting(
        _ target: FetchTarget,
        to location: String
    ) throws -> AttemptOutcome {
        let outcome = RedirectRule.decide(
            statusCode: 302,
            location: Array(location.utf8),
            request: try HTTPRequest(url: target.url),
            count: 0,
            policy: .follow()
        )
        guard case .follow(let redirect) = outcome else { return .success }
        return AttemptOutcome(status: 302, redirect: redirect)
    }

    @Test("A redirect to a host that the source doesn't hold leaves the run without a result")
    func redirectToOtherHostIsHandedOver() async throws {
        let source = Source(
            [
                [try item("http://own/same", ticket: 1), try item("http://own/other", ticket: 2)],
                [try item("http://own/plain", ticket: 3)],
            ],
            host: "own:80"
        )
        let fetcher = ScriptedFetcher { target, _ in
            switch target.rest {
            case "/same": try? Self.redirecting(target, to: "http://own/end")
            case "/other": try? Self.redirecting(target, to: "http://else/end")
            default: .success
            }
        }
        let run = try Batch(BatchConfiguration()).start(work: source, fetcher: fetcher)
        let results = await run.reduce(into: []) { $0.append($1) }
        #expect(results.allSatisfy { $0.isFetched })
        #expect(results.compactMap(\.ticket).sorted() == [1, 3])
        let taken = source.taken.read { $0 }
        #expect(taken.map(\.ticket) == [2])
        #expect(taken.map(\.host) == ["else:80"])
        #expect(taken.map(\.nextURL) == ["http://else/end"])
        #expect(taken.map(\.url) == ["http://own/other"])
    }

    @Test("A URL that was handed over continues after the redirect, with the redirects counted")
    func handedOverURLContinues() async throws {
        let first = Source([[try item("http://own/1", ticket: 1)]], host: "own:80")
        let fetcher = ScriptedFetcher { target, _ in
            target.rest == "/end" ? .success : try? Self.redirecting(target, to: "http://else/end")
        }
        let batch = Batch(BatchConfiguration())
        for await _ in try batch.start(work: first, fetcher: fetcher) {
            Issue.record("a URL that was handed over has a result")
        }
        let taken = try #require(source(first).first)
        var item = try #require(WorkItem(encoded: taken.encoded))
        #expect(item.ticket == nil)
        #expect(item.attempts == 1)
        item.ticket = 9
        let second = Source([[item]], host: "else:80")
        let run = try batch.start(work: second, fetcher: fetcher)
        let results = await run.reduce(into: []) { $0.append($1) }
        #expect(results.map(\.ticket) == [9])
        #expect(results.map(\.url) == ["http://own/1"])
        #expect(results.map(\.attempts) == [1])
        // The nineteen redirects that are left are counted, too.
        let endless = ScriptedFetcher { target, _ in
            try? Self.redirecting(target, to: "http://else/\(target.rest.count)x")
        }
        let third = Source([[item]], host: "else:80")
        let endlessRun = try batch.start(work: third, fetcher: endless)
        let loop = await endlessRun.reduce(into: []) { $0.append($1) }
        #expect(loop.map(\.failure?.code) == [.tooManyRedirects])
    }

    private func source(_ source: Source) -> [WorkItem] { source.taken.read { $0 } }

    @Test("A retry from the first URL, at a host that the source doesn't hold, leaves the run")
    func retryAtOtherHostIsHandedOver() async throws {
        var job = FetchJob(target: try FetchTarget("http://else/1"), line: 1, waitingSince: .now)
        job.attempts = 1
        job.isContinuing = true
        job.redirects = RedirectChain(
            try FetchTarget("http://own/2"),
            count: 1,
            spent: .zero,
            queued: .zero,
            startedAt: nil
        )
        let source = Source([[WorkItem(job)]], host: "own:80")
        let fetcher = ScriptedFetcher { _, _ in
            .failing(.transport, .transfer(isTransient: true, mayHaveReachedServer: true))
        }
        let run = try Batch(BatchConfiguration()).start(work: source, fetcher: fetcher)
        #expect(await run.reduce(into: []) { $0.append($1) }.isEmpty)
        let taken = try #require(source.taken.read { $0 }.first)
        #expect(taken.host == "else:80")
        #expect(taken.attempts == 1)
        #expect(taken.job.redirects == nil)
        #expect(source.delays.read { $0.count } == 1)
    }

    @Test("A source that waits gets work into the run when it is woken")
    func wokenSourceAddsWork() async throws {
        let source = Source(
            [[try item("http://own/1", ticket: 1)]],
            host: "own:80",
            last: [try item("http://own/2", ticket: 2)]
        )
        let fetcher = ScriptedFetcher { _, _ in .success }
        let run = try Batch(BatchConfiguration()).start(work: source, fetcher: fetcher)
        async let results = run.reduce(into: []) { $0.append($1) }
        let receiver = try await source.receiver.wait { $0 }
        receiver.wake()
        #expect(await results.compactMap(\.ticket).sorted() == [1, 2])
    }

    @Test("A run whose deadline has passed starts no more requests, and ends")
    func deadlineEndsRun() async throws {
        let source = Source(
            [[try item("http://own/1", ticket: 1)]],
            host: "own:80",
            last: [try item("http://own/2", ticket: 2)]
        )
        let started = Watched<[String]>([])
        let fetcher = ScriptedFetcher { target, _ in
            started.update { $0.append(String(target.rest)) }
            return .success
        }
        let run = try Batch(BatchConfiguration()).start(work: source, fetcher: fetcher)
        async let results = run.reduce(into: []) { $0.append($1) }
        let receiver = try await source.receiver.wait { $0 }
        _ = try await started.wait { $0.isEmpty ? nil : true }
        receiver.setDeadline(BootTime.now)
        receiver.wake()
        #expect(await results.filter(\.isFetched).compactMap(\.ticket) == [1])
        #expect(started.read { $0 } == ["/1"])
    }

    @Test("Stopping the run ends the wait of its source")
    func stopEndsWait() async throws {
        let source = Source([], host: "own:80", last: [try item("http://own/2", ticket: 2)])
        let fetcher = ScriptedFetcher { _, _ in .success }
        let run = try Batch(BatchConfiguration()).start(work: source, fetcher: fetcher)
        async let results = run.reduce(into: []) { $0.append($1) }
        _ = try await source.receiver.wait { $0 }
        run.stop()
        #expect(await results.isEmpty)
    }
}
