internal import CurlTransport
internal import CurlTransportTesting
internal import HTTPTypes

/// What the documentation comments of the seam, and of `CurlTransportTesting`, show.
enum SeamComments {
    // snippet: HTTPExchanging.swift/users
    struct Users {
        let client: any HTTPExchanging

        func name(of id: Int) async throws(TransportError) -> String {
            let request = try HTTPRequest(url: "https://users.example/\(id)/name")
            let response = try await client.send(request)
            return String(decoding: try await response.body.collect(upTo: 1024), as: UTF8.self)
        }
    }
    // end

    // snippet: HTTPExchanging.swift/middleware
    struct UserAgent: HTTPMiddleware {
        let name: String

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext,
            next: any HTTPExchanging
        ) async throws(TransportError) -> HTTPClientResponse {
            var request = request
            request.headerFields[.userAgent] = name
            return try await next.send(request, body: body, context: context)
        }
    }

    // hide
    static func client() throws -> HTTPClient {
        // show
        let client = try HTTPClient(middleware: [UserAgent(name: "shop/1.0")])
        // end
        return client
    }

    // snippet: TransferObserver.swift/counting
    struct Counting: HTTPMiddleware, TransferObserver {
        let ends: @Sendable (TransferEnd) -> Void

        func intercept(
            _ request: HTTPRequest,
            body: RequestBody,
            context: RequestContext,
            next: any HTTPExchanging
        ) async throws(TransportError) -> HTTPClientResponse {
            var context = context
            context.observers.append(self)
            return try await next.send(request, body: body, context: context)
        }

        func transferDidEnd(_ end: TransferEnd) { ends(end) }
    }
    // end

    static func watched() async throws -> Int {
        // snippet: Watched.swift/count
        let count = Watched(0)
        Task { count.update { $0 += 1 } }
        let reached = try await count.wait { $0 > 0 ? $0 : nil }
        // end
        return reached
    }

    static func stub() async throws -> HTTPClientResponse {
        // snippet: StubClient.swift/routes
        let stub = StubClient()
            .on(.get, "/users/*", reply: .json(#"{"name": "Ada"}"#))
            .on(.post, "/orders", reply: .failure(.connectionLost), .status(.created))
        let response = try await stub.send(HTTPRequest(url: "https://shop.example/users/7"))
        // end
        return response
    }

    static func server(_ client: HTTPClient) async throws -> HTTPClientResponse {
        // snippet: LoopbackServer.swift/handler
        let server = try LoopbackServer { request in
            request.path == "/hello" ? .text("hello") : .status(404)
        }
        let response = try await client.send(HTTPRequest(url: server.url + "/hello"))
        // end
        return response
    }

    static func record(_ client: HTTPClient, _ url: String, to path: String) async throws {
        // snippet: RecordingClient.swift/record
        let recording = try RecordingClient(client, to: path)
        let response = try await recording.send(HTTPRequest(url: url))
        _ = try await response.body.collect(upTo: 1 << 20)
        try recording.finish()
        // end
    }
}
