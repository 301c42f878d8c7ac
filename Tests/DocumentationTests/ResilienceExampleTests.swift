internal import CurlNetworking
internal import CurlResilience
internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

/// The examples of the guide to middleware do what it says.
@Suite(.timeLimit(.minutes(10))) struct ResilienceExampleTests {
    @Test("The client of the guide can be created")
    func combinedMiddlewareIsValid() async throws {
        let client = try CombiningMiddleware.client { AccessToken("x") }
        await client.shutdown()
    }

    @Test("Requests of a manager that are refused at once share one refresh of the token")
    func managerSharesARefresh() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            let isValid = request.header("Authorization") == "Bearer new"
            return isValid ? .text("in") : .text("out", status: 401).after(gate)
        }
        let refreshes = Watched(0)
        let tokens = TokenSource(token: AccessToken("old")) { _ in
            refreshes.update { $0 += 1 }
            return AccessToken("new")
        }
        let console = try Console()
        let manager = try console.manager()
        manager.responseSerializer = StringResponseSerializer()
        manager.interceptor = CombiningMiddleware.TokenInterceptor(
            tokens: tokens,
            host: "127.0.0.1"
        )
        let request = URLRequest(url: try #require(URL(string: server.url)))
        let output = console.print
        for _ in 0..<4 {
            manager.dataTask(with: request) { _, object, error in
                output("\(object ?? error ?? "nothing")")
            }.resume()
        }
        // All are sent with the old token before any is refused.
        try await server.requests(count: 4)
        gate.open()
        #expect(try await console.lines.wait(count: 4) == ["in", "in", "in", "in"])
        #expect(refreshes.read { $0 } == 1 && server.requestCount == 8)
        manager.invalidateSessionCancelingTasks(true, resetSession: false)
    }
}
