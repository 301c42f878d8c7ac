internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the connections of a session to a host, and the tasks that wait for one.
@Suite(.timeLimit(.minutes(10))) struct HostLimitTests {
    @Test("E7: A session opens no more connections to a host than configured")
    func connectionsPerHostAreLimited() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let session = URLSession.test { $0.httpMaximumConnectionsPerHost = 3 }
        let url = try server.at("/")
        let all = Task {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await session.data(from: url).0.count }
                }
                return try await group.reduce(0, +)
            }
        }
        try await server.requests(count: 3)
        #expect(server.requestCount == 3)
        gate.open()
        #expect(try await all.value == 20)
        #expect(server.acceptedConnectionCount == 3)
        #expect(server.requestCount == 20)
    }

    @Test("E7: The request timeout doesn't run while a task waits for a connection")
    func requestTimeoutExcludesWaitingForAConnection() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let session = URLSession.test { $0.httpMaximumConnectionsPerHost = 1 }
        let url = try server.at("/")
        let first = Task { try await session.data(from: url).0.count }
        try await server.requests(count: 1)
        var request = URLRequest(url: url)
        request.timeoutInterval = 4
        let waiting = session.dataTask(with: request)
        let delegate = SessionDelegate()
        waiting.delegate = delegate
        waiting.resume()
        // This request starts later and has a longer timeout, but waits for its server. When it
        // times out, the waiting task's timeout would have passed as well.
        var other = URLRequest(url: try silent.at("/"))
        other.timeoutInterval = 4.5
        let measure = other
        let error = try await urlError { _ = try await session.data(for: measure) }
        #expect(error.code == .timedOut)
        #expect(server.requestCount == 1)
        #expect(waiting.state == .running)
        gate.open()
        #expect(try await first.value == 1)
        try await delegate.completion()
        #expect(delegate.errors.isEmpty)
        #expect(delegate.text == "x")
    }
}
