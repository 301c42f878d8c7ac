internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests tasks that wait for one of their session's connections.
@Suite(.timeLimit(.minutes(10))) struct SessionQueueTests {
    @Test("Tasks that wait too long in the queue, or overfill it, fail with distinct errors")
    func waitingTasksFailWithinTheirLimits() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let url = try server.at("/")
        let session = URLSession.test {
            $0.httpMaximumConnectionsPerHost = 1
            // Long enough for a busy machine to start the second task while the first one waits.
            $0.timeoutIntervalInQueue = 3
            $0.maximumQueuedTransfers = 1
        }
        async let held = session.data(from: url)
        _ = try await server.requestHead(0)
        async let one = urlError { _ = try await session.data(from: url) }
        async let other = urlError { _ = try await session.data(from: url) }
        let errors = try await [one, other]
        #expect(Set(errors.map(\.code)) == [.timedOut, .resourceUnavailable])
        gate.open()
        #expect(try await held.0 == Data("x".utf8))
        #expect(server.requestCount == 1)
    }

    @Test("A negative queue limit makes every task fail with an error that names it")
    func negativeLimitMakesTasksFail() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let session = URLSession.test { $0.maximumQueuedTransfers = -1 }
        let error = try await urlError { _ = try await session.data(from: server.at("/")) }
        #expect(error.reason.contains("aximumQueued is -1"), "\(error)")
    }
}
