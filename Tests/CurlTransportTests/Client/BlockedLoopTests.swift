internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// What a client reports while an observer blocks the thread of a loop.
@Suite(.timeLimit(.minutes(10))) struct BlockedLoopTests {
    /// Blocks the loop at the end of a transfer.
    private struct Blocker: TransferObserver {
        let begun = Gate()
        let end = Gate()

        func transferDidEnd(_ end: TransferEnd) {
            begun.open()
            self.end.waitBlocking()
        }
    }

    private typealias BodyTask = Task<[UInt8], any Error>

    private let blocker = Blocker()

    private func client(loops: Int = 1) throws -> HTTPClient {
        var configuration = TransportConfiguration()
        configuration.eventLoopCount = loops
        // On a busy machine a test's next request may come late.
        configuration.idleConnectionLifetime = .seconds(3600)
        return try HTTPClient(configuration: configuration, options: .patient)
    }

    /// Blocks the loop of the server's origin, until the blocker's end.
    private func block(
        _ client: HTTPClient,
        _ server: LoopbackServer
    ) async throws -> BodyTask {
        let request = try HTTPRequest(url: server.url)
        let context = RequestContext(observers: [blocker])
        let task = Task {
            try await client.send(request, context: context).body.collect(upTo: 9)
        }
        try await blocker.begun.wait()
        return task
    }

    @Test("A blocked loop has the figures of its last answer, and its busy share is 1")
    func blockedLoopHasItsLastFigures() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try client()
        let first = try await client.send(HTTPRequest(url: server.url))
        _ = try await first.body.collect(upTo: 9)
        let before = await client.statistics(within: .seconds(600))
        #expect(before.loops.map(\.isResponsive) == [true])
        let task = try await block(client, server)
        let blocked = await client.statistics(within: .milliseconds(10))
        #expect(blocked.origins == before.origins)
        var expected = try #require(before.loops.first)
        expected.isResponsive = false
        #expect(blocked.loops == [expected])
        #expect(blocked.loops.map { $0.busyShare(since: before.loops.first) } == [1])
        blocker.end.open()
        #expect(try await task.value == Array("x".utf8))
        let after = await client.statistics(within: .seconds(600))
        #expect(after.loops.map(\.isResponsive) == [true])
        #expect(after.origins.map(\.reused) == [1])
        await client.shutdown()
    }

    @Test("A loop that never answered is reported without figures, and the other one with them")
    func otherLoopAnswers() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try client(loops: 2)
        let task = try await block(client, server)
        // Long enough for the other loop on a busy machine.
        let blocked = await client.statistics(within: .seconds(2))
        #expect(blocked.loops.map(\.index) == [0, 1])
        let silent = blocked.loops.filter { !$0.isResponsive }
        #expect(silent.count == 1 && silent.map(\.age) == [.zero])
        #expect(blocked.origins.isEmpty)
        blocker.end.open()
        _ = try await task.value
        await client.shutdown()
    }

    @Test("However often a blocked loop is asked, all callers are answered")
    func allCallersAreAnswered() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try client()
        let task = try await block(client, server)
        for _ in 0..<100 {
            let statistics = await client.statistics(within: .zero)
            #expect(statistics.loops.map(\.isResponsive) == [false])
        }
        let callers = (0..<100).map { _ in
            Task.immediate { await client.statistics(within: .seconds(600)) }
        }
        blocker.end.open()
        for caller in callers { #expect(await caller.value.loops.map(\.isResponsive) == [true]) }
        _ = try await task.value
        await client.shutdown()
    }

    @Test("A cancelled task gets the current figures, too")
    func cancelledTaskGetsFigures() async throws {
        let client = try client()
        let never = Gate()
        let task = Task {
            try? await never.wait()
            return await client.statistics(within: .seconds(Int64.max))
        }
        task.cancel()
        #expect(await task.value.loops.map(\.isResponsive) == [true])
        await client.shutdown()
    }
}
