internal import CurlTransport
internal import CurlTransportTesting
internal import HTTPTypes

/// What the page "Stub requests" shows.
enum StubbingRequests {
    // snippet: StubbingRequests/client
    struct Orders: Sendable {
        let client: any HTTPExchanging

        func place(_ order: String) async throws(TransportError) -> Int {
            let request = try HTTPRequest(method: .post, url: "https://shop.example/orders")
            return try await client.send(request, body: .text(order)).statusCode
        }
    }
    // end

    static func stub() async throws -> (Int, StubClient) {
        // snippet: StubbingRequests/stub
        let stub = StubClient().on(.post, "/orders", reply: .status(.created))
        let status = try await Orders(client: stub).place("7 apples")
        // status is 201, and stub.requests[0].bodyText is "7 apples"
        // end
        return (status, stub)
    }

    static func routes(_ stub: StubClient) {
        // snippet: StubbingRequests/routes
        stub.on(.get, "/status", reply: .status(.serviceUnavailable), .text("up"))
        stub.on(.get, "https://*.shop.example/items/*") { request in
            request.headerFields[.authorization] == nil
                ? .status(.unauthorized) : .text(request.path)
        }
        // end
    }

    static func failures(_ stub: StubClient) {
        // snippet: StubbingRequests/failures
        stub.on(.get, "/down", reply: .failure(.connectRefused))
        stub.on(.get, "/slow", reply: .text("late").delayed(by: .seconds(2)))
        stub.on(.get, "/cut", reply: .chunks([[1], [2]]).failing(.connectionLost, afterChunks: 1))
        // end
    }

    static func gate(_ stub: StubClient) async throws -> HTTPClientResponse {
        // snippet: StubbingRequests/gate
        let gate = Gate()
        stub.on(.get, "/held", reply: .text("now").waiting(for: gate))
        async let response = stub.send(HTTPRequest(url: "https://shop.example/held"))
        _ = try await stub.requests(count: 1)
        // check what the program does while it waits
        gate.open()
        let answer = try await response
        // end
        return answer
    }
}
