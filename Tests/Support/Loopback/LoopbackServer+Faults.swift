// Servers with one fault each. Each layer's tests use them.

extension LoopbackServer {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    // MARK: Folded field lines

    /// A server whose responses may begin with a folded field line.
    ///
    /// Connections with an even number get an ordinary response and then one with a folded first
    /// field line. All others get one ordinary response. Then the server closes the connection.
    package static func foldingFirstField() throws -> LoopbackServer {
        let ordinary = "HTTP/1.1 200 OK\r\nX-Last: value\r\nContent-Length: 2\r\n\r\nok"
        let folded =
            "HTTP/1.1 200 OK\r\n a:\(String(repeating: "A", count: 300))\r\n"
            + "Content-Length: 2\r\n\r\nok"
        return try .scripted { number in
            let answers = number % 2 == 0 ? [ordinary, folded] : [ordinary]
            return answers.flatMap { [.readHead, .send($0)] }
        }
    }

    // MARK: Lost connections

    /// A server that reads the second request of its first connection and doesn't answer it.
    ///
    /// It answers its other requests with the body `ok`: one on each later connection, which then stalls.
    ///
    /// - Parameter end: The step that ends the first connection.
    package static func losingSecondRequest(by end: Step = .close) throws -> LoopbackServer {
        let answer = Step.send(ok)
        return try .scripted { connection in
            connection == 0
                ? [.readHead, answer, .readHead, .readBody, end]
                : [.readHead, .readBody, answer, .stall]
        }
    }

    // MARK: Forged responses

    private static let fresh = "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\n"

    /// A response that no request has asked for, and that a cache may store.
    package static let forgedResponse = fresh + "Content-Length: 6\r\n\r\nforged"

    /// Responses whose end doesn't depend on the end of the connection.
    package static let completeResponses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 204 None\r\n\r\n",
        "HTTP/1.1 304 Same\r\nContent-Length: 10\r\n\r\n",
    ]

    /// A server whose first connection sends `response` and, when the gate opens, `forgedResponse`.
    ///
    /// It answers one request on each later connection with the body `true`, and stalls then.
    package static func forging(
        behind response: String,
        at gate: Gate,
        options: ServerOptions = ServerOptions()
    ) throws -> LoopbackServer {
        let truth: [Step] = [.readHead, .send(fresh + "Content-Length: 4\r\n\r\ntrue")]
        return try .scripted(options: options) { number in
            number == 0
                ? [.readHead, .send(response), .waitFor(gate), .send(forgedResponse)] + truth
                    + [.stall]
                : truth + [.stall]
        }
    }

    /// Waits until the client's sockets have received `forgedResponse` behind `response`.
    package func forgedResponseArrived(behind response: String) async throws {
        try await sent(response.utf8.count + Self.forgedResponse.utf8.count)
        try await Arrivals.wait(fromPort: port)
    }
}
