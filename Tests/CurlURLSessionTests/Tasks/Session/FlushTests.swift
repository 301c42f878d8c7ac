internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests sessions that close their connections.
@Suite(.timeLimit(.minutes(10))) struct FlushTests {
    private final class Completion: TransferDelegate {
        let error = Watched<TransportError??>(nil)

        func transfer(
            _ transfer: TransferHandle,
            didReceiveBody bytes: Span<UInt8>
        ) -> DeliveryDecision {
            .proceed
        }

        func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
            self.error.update { $0 = .some(error) }
        }
    }

    /// A load gets the session's transport a moment before it starts.
    @Test func requestStartedDuringAConnectionResetCompletes() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let session = URLSession.test()
        let request = URLRequest(url: try server.at("/"))
        let completion = Completion()
        do {
            let transport = try session.core.transport()
            session.core.resetConnectionPool()
            let httpRequest = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "127.0.0.1:\(server.port)",
                path: "/"
            )
            let options = try session.core.settings.options(for: request)
            transport.start(TransferRequest(httpRequest, options: options), delegate: completion)
            #expect(try await completion.error.wait { $0 } == nil)
            #expect(try session.core.transport() !== transport)
        }
        // The connections close when the last reference to their transport is released.
        try await server.openConnections(0)
        session.invalidateAndCancel()
    }

    @Test func requestsDuringConnectionResetsAreAnswered() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let session = URLSession.test()
        let url = try server.at("/")
        for _ in 0..<20 {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask { (try? await session.data(from: url).0.count) == 5 }
                    group.addTask { await awaitHandler { done in session.flush { done(true) } } }
                }
                for await isRight in group { #expect(isRight) }
            }
        }
        session.invalidateAndCancel()
    }

    @Test func formerConnectionsAreClosed() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/"))
        #expect(server.openConnectionCount == 1)
        await awaitHandler { done in session.flush { done(()) } }
        try await server.openConnections(0)
        _ = try await session.data(from: server.at("/"))
        #expect(server.acceptedConnectionCount == 2)
        session.invalidateAndCancel()
    }
}
