internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the handshakes of WebSocket tasks, and the responses to them.
@Suite(.timeLimit(.minutes(10))) struct WebSocketTaskHandshakeTests {
    @Test func handshakeSendsFieldsAndCookies() async throws {
        let server = try LoopbackServer.sockets()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Session": "yes"]
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: "a", .value: "b", .domain: "127.0.0.1", .path: "/",
        ]
        let cookie = try #require(HTTPCookie(properties: properties))
        configuration.httpCookieStorage?.setCookie(cookie)
        let session = URLSession(configuration: configuration)
        var request = URLRequest(url: try server.socketURL)
        request.setValue("secret", forHTTPHeaderField: "Authorization")
        request.setValue("permessage-deflate", forHTTPHeaderField: "Sec-WebSocket-Extensions")
        let task = session.webSocketTask(with: request)
        task.resume()
        try await task.sendPing()
        let head = try await server.requestHead(0)
        #expect(head.target == "/socket")
        #expect(head.header("X-Session") == "yes")
        #expect(head.header("Cookie") == "a=b")
        #expect(head.header("Authorization") == "secret")
        #expect(head.header("Sec-WebSocket-Extensions") == nil)
        session.invalidateAndCancel()
    }

    @Test func handshakesCookiesAreStored() async throws {
        let server = try LoopbackServer.sockets { $0.fields = "Set-Cookie: a=b\r\n" }
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        for number in 0..<2 {
            let task = session.webSocketTask(with: try server.socketURL)
            task.resume()
            try await delegate.opened(number + 1)
            task.cancel()
        }
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "a=b"])
        session.invalidateAndCancel()
    }

    @Test func httpURLOpensAWebSocket() async throws {
        let server = try LoopbackServer.sockets()
        let session = URLSession.test()
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/a%20b?c#d"))
        let task = session.webSocketTask(with: url)
        task.resume()
        try await task.sendPing()
        #expect(try await server.requestHead(0).target == "/a%20b?c")
        #expect(task.currentRequest?.url == url)
        session.invalidateAndCancel()
    }

    @Test func unofferedSubprotocolFailsTheTask() async throws {
        let server = try LoopbackServer.sockets { $0.fields = "Sec-WebSocket-Protocol: other\r\n" }
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL, protocols: ["chat"])
        task.resume()
        await expectFailure(.badServerResponse) { _ = try await task.receive() }
        session.invalidateAndCancel()
    }

    @Test func subprotocolWithASpaceIsNotSent() async throws {
        let server = try LoopbackServer.sockets()
        let session = URLSession.test()
        let task = session.webSocketTask(with: try server.socketURL, protocols: ["a b"])
        task.resume()
        await expectFailure(.badURL) { _ = try await task.receive() }
        #expect(server.acceptedConnectionCount == 0)
        session.invalidateAndCancel()
    }

    // MARK: Credentials

    private static let right = "Basic dXNlcjpwYXNz"  // user:pass

    /// A server that requires a password.
    private static func guarded(
        _ challenge: String = "Basic realm=\"Home\""
    ) throws -> LoopbackServer {
        let sockets = LoopbackServer.WebSocketScript.echoing
        return try .scripted { connection in
            [
                .readHead,
                .respond { request in
                    request.header("Authorization") == right
                        ? LoopbackServer.steps(for: request, connection, sockets)
                        : [
                            .send("HTTP/1.1 401 Who\r\nWWW-Authenticate: \(challenge)\r\n"),
                            .send("Content-Length: 4\r\n\r\nwho?"), .readUntilClosed,
                        ]
                },
            ]
        }
    }

    @Test func urlCredentialsAnswerAChallenge() async throws {
        let server = try Self.guarded()
        let session = URLSession.test()
        let url = try #require(URL(string: "ws://user:pass@127.0.0.1:\(server.port)/"))
        let task = session.webSocketTask(with: url)
        async let sent: Void = task.send(.string("waits for both attempts"))
        task.resume()
        expectText(try await task.receive(), "waits for both attempts")
        try await sent
        #expect(server.requests.map { $0.header("Authorization") } == [nil, Self.right])
        session.invalidateAndCancel()
    }

    @Test func delegateAnswersAHandshakeChallenge() async throws {
        let server = try Self.guarded()
        let delegate = SocketDelegate { challenge, completion in
            let isFirst = challenge.previousFailureCount == 0
            let password = isFirst ? "wrong" : "pass"
            completion(
                .useCredential,
                URLCredential(user: "user", password: password, persistence: .forSession)
            )
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        let receiving = Task { try await task.receive() }
        task.resume()
        try await task.send(.string("in"))
        expectText(try await receiving.value, "in")
        #expect((task.response as? HTTPURLResponse)?.statusCode == 101)
        task.cancel(with: .normalClosure, reason: nil)
        #expect(try await delegate.completion() == nil)
        let asked = SocketDelegate.Event.challenge(NSURLAuthenticationMethodHTTPBasic)
        #expect(
            delegate.events == [
                asked, asked, .open(nil), .close(1000, nil), .metrics(3), .completed(nil),
            ]
        )
        session.invalidateAndCancel()
    }

    @Test func cancelledChallengeEndsTheWebSocket() async throws {
        let server = try Self.guarded()
        let delegate = SocketDelegate { $1(.cancelAuthenticationChallenge, nil) }
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        task.resume()
        await expectFailure(.cancelled) { _ = try await task.receive() }
        #expect(try await delegate.completion() == URLError.Code.cancelled.rawValue)
        session.invalidateAndCancel()
    }

    /// libcurl supports Digest, but can't apply it to a WebSocket handshake.
    @Test(arguments: ["Digest realm=\"x\", nonce=\"1\"", "Basic realm=\"Home\""])
    func unansweredChallengeFailsTheTask(_ challenge: String) async throws {
        let server = try Self.guarded(challenge)
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.webSocketTask(with: try server.socketURL)
        let sending = Task { try await task.send(.string("x")) }
        task.resume()
        await expectFailure(.badServerResponse) { _ = try await task.receive() }
        await expectFailure(.badServerResponse) { try await sending.value }
        #expect(try await delegate.completion() == URLError.Code.badServerResponse.rawValue)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 401)
        #expect(server.requestCount == 1)
        session.invalidateAndCancel()
    }

    // MARK: Certificates

    @Test(
        "A session asks its delegate about the certificate of each WebSocket connection",
        .enabled(if: TLSRelayPeer.isAvailable),
        arguments: SessionDelegate.refusals
    )
    func eachWebSocketAsksForTrust(
        _ decision: URLSession.AuthChallengeDisposition,
        _ code: URLError.Code
    ) async throws {
        let server = try LoopbackServer.sockets()
        let relay = try await TLSRelayPeer.start(port: server.port, identity: { $0.selfSigned })
        defer { relay.stop() }
        let isStrict = Gate()
        let delegate = SocketDelegate.trusting(until: isStrict, then: decision)
        let session = URLSession.test(delegate: delegate)
        let url = try #require(URL(string: "wss://localhost:\(relay.port)/socket"))
        let first = session.webSocketTask(with: url)
        first.resume()
        try await first.sendPing()
        isStrict.open()
        let second = session.webSocketTask(with: url)
        second.resume()
        await expectFailure(code) { _ = try await second.receive() }
        let asked = SocketDelegate.Event.challenge(NSURLAuthenticationMethodServerTrust)
        #expect(delegate.events.count { $0 == asked } == 2)
        #expect(server.requestCount == 1)
        // The open WebSocket is still trusted.
        try await first.sendPing()
        session.invalidateAndCancel()
    }

    /// After it has verified the certificate, the server responds as to any request.
    @Test(.enabled(if: OpenSSLPeer.isAvailable))
    func clientCertificateIsSentOnRequest() async throws {
        let made = try await NativeThread.run { try Certificates.shared() }
        let peer = try await OpenSSLPeer.start([
            "-tls1_3", "-Verify", "1", "-verify_return_error", "-CAfile", made.authority,
        ])
        defer { peer.stop() }
        let certificate = try Data(contentsOf: URL(fileURLWithPath: made.client.certificate))
        let key = try Data(contentsOf: URL(fileURLWithPath: made.client.key))
        let delegate = SocketDelegate { challenge, completion in
            let space = challenge.protectionSpace
            guard space.authenticationMethod == NSURLAuthenticationMethodClientCertificate else {
                let credential = space.serverTrust.map { URLCredential(trust: $0) }
                return completion(.useCredential, credential)
            }
            let identity = SecIdentity(pemCertificate: certificate, key: key)
            completion(
                .useCredential,
                URLCredential(identity: identity, certificates: nil, persistence: .none)
            )
        }
        let session = URLSession.test(delegate: delegate)
        let url = peer.url.replacingOccurrences(of: "https:", with: "wss:")
        let task = session.webSocketTask(with: try #require(URL(string: url)))
        task.resume()
        await expectFailure(.badServerResponse) { _ = try await task.receive() }
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(
            delegate.events.contains(.challenge(NSURLAuthenticationMethodClientCertificate))
        )
        session.invalidateAndCancel()
    }
}
