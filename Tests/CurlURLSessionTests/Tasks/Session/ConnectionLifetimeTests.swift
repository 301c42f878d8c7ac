internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests how long a session uses its connections.
@Suite(.timeLimit(.minutes(10))) struct ConnectionLifetimeTests {
    /// libcurl counts whole seconds: at more than two a connection is older than one.
    @Test(
        "A connection that is older than its lifetime isn't reused",
        arguments: [1, nil] as [TimeInterval?]
    )
    func oldConnectionIsNotReused(_ lifetime: TimeInterval?) async throws {
        let server = try LoopbackServer { request in
            request.path == "/slow" ? .text("x").after(.milliseconds(2_500)) : .text("x")
        }
        let session = URLSession.test {
            $0.connectionLifetime = lifetime
            // Long enough for a busy machine.
            $0.idleConnectionLifetime = 3600
        }
        _ = try await session.data(from: server.at("/slow"))
        _ = try await session.data(from: server.at("/"))
        #expect(server.acceptedConnectionCount == (lifetime == nil ? 1 : 2))
        #expect(server.requestCount == 2)
        session.invalidateAndCancel()
    }

    @Test("A session without requests closes its connections after their idle lifetime")
    func idleConnectionsAreClosed() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let session = URLSession.test { $0.idleConnectionLifetime = 0.15 }
        _ = try await session.data(from: server.at("/"))
        let ending = try await server.connectionClosed(0).ending
        #expect(ending == .peer)
        _ = try await session.data(from: server.at("/"))
        #expect(server.acceptedConnectionCount == 2)
        session.invalidateAndCancel()
    }

    /// Each change makes tasks fail with an error that has the text.
    private static let invalid:
        [(text: String, make: @Sendable (URLSessionConfiguration) -> Void)] = [
            ("idleConnectionLifetime is 0", { $0.idleConnectionLifetime = 0 }),
            ("idleConnectionLifetime is 0", { $0.idleConnectionLifetime = .nan }),
            ("maximumIdleConnections is -1", { $0.maximumIdleConnections = -1 }),
            ("dnsCacheLifetime is -1", { $0.dnsCacheLifetime = -7 }),
            ("eventLoopCount is 0", { $0.eventLoopCount = 0 }),
            ("eventLoopCount is 1025; use 1 to 1024", { $0.eventLoopCount = 1025 }),
        ]

    @Test("An invalid connection limit makes every task fail with an error that names it")
    func invalidLimitMakesTasksFail() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        for (text, make) in Self.invalid {
            let session = URLSession.test { make($0) }
            let error = try await urlError { _ = try await session.data(from: server.at("/")) }
            // The reason may begin with a capital.
            #expect(error.reason.contains(text.dropFirst()), "\(error)")
            session.invalidateAndCancel()
        }
        #expect(server.acceptedConnectionCount == 0)
    }
}
