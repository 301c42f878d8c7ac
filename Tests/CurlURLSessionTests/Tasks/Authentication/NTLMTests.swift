internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// NTLM, which applies to a whole connection.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: ProxyServer.AuthenticationKinds.available.contains(.ntlm))
)
struct NTLMTests {
    private static let password = "SecREt01"

    /// A server that accepts a connection after a correct NTLM response. It answers all later
    /// requests on that connection with `welcome`.
    private static func ntlm(
        _ asker: Asker,
        welcome: @escaping @Sendable (RecordedRequest) -> Reply
    ) throws -> LoopbackServer {
        let known = Watched<Set<Int>>([])
        return try LoopbackServer { request in
            let message = NTLMMessage(asker.proof(request))
            if message?.type == 1 { return asker.refusal("NTLM \(NTLMMessage.challenge)") }
            if message?.isRight == true { known.update { _ = $0.insert(request.connection) } }
            return known.read { $0.contains(request.connection) }
                ? welcome(request) : asker.refusal("NTLM")
        }
    }

    /// The NTLM message of each recorded request; `nil` if a request has none.
    private static func messages(_ asker: Asker, _ server: LoopbackServer) -> [NTLMMessage?] {
        server.requests.map { NTLMMessage(asker.proof($0)) }
    }

    private static func upload(_ asker: Asker, to port: Int) throws -> URLRequest {
        var request = URLRequest(url: try asker.url(port))
        request.httpMethod = "POST"
        return request
    }

    @Test("C20: NTLM authentication takes three requests", arguments: [Asker.server, .proxy])
    func ntlmTakesThreeRequests(_ asker: Asker) async throws {
        let server = try Self.ntlm(asker) { .text("in \($0.bodyText)") }
        let delegate = SessionDelegate(password: Self.password)
        let session = asker.session(server.port, delegate: delegate)
        let request = try Self.upload(asker, to: server.port)
        session.uploadTask(with: request, from: Data("body".utf8)).resume()
        try await delegate.completion()
        #expect(delegate.text == "in body")
        #expect(
            delegate.milestones == [
                .challenge(NSURLAuthenticationMethodNTLM, failures: 0), .response(200),
                .metrics(transactions: 2), .completed(nil),
            ]
        )
        let messages = Self.messages(asker, server)
        #expect(messages.map(\.?.type) == [nil, 1, 3])
        #expect(messages.last??.user == "user")
        // The request with the type 1 message has no body.
        #expect(server.requests.map(\.bodyText) == ["body", "", "body"])
        #expect(server.requests[1].connection == server.requests[2].connection)
        session.invalidateAndCancel()
    }

    @Test(arguments: [Asker.server, .proxy])
    func authenticatedConnectionNeedsNoProof(_ asker: Asker) async throws {
        let server = try Self.ntlm(asker) { _ in .text("in") }
        let delegate = SessionDelegate(password: Self.password)
        let session = asker.session(server.port)
        for _ in 0..<2 {
            let url = try asker.url(server.port)
            let (data, _) = try await session.data(from: url, delegate: delegate)
            #expect(String(decoding: data, as: UTF8.self) == "in")
        }
        let types = Self.messages(asker, server).map(\.?.type)
        #expect(types == [nil, 1, 3, nil, nil])
        let connections = server.requests.map(\.connection)
        #expect(connections[4] == connections[2])
        // A request without authentication doesn't use the authenticated connection.
        #expect(connections[3] != connections[2])
    }

    @Test(arguments: [Asker.server, .proxy])
    func wrongPasswordCausesAnotherChallenge(_ asker: Asker) async throws {
        let server = try Self.ntlm(asker) { _ in .text("in") }
        let delegate = SessionDelegate(passwords: ["wrong", Self.password])
        let session = asker.session(server.port)
        let (data, _) = try await session.data(
            from: asker.url(server.port),
            delegate: delegate
        )
        #expect(String(decoding: data, as: UTF8.self) == "in")
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
        #expect(delegate.challenges.last?.proposedCredential == .test("wrong"))
        #expect(Self.messages(asker, server).map(\.?.type) == [nil, 1, 3, 1, 3])
    }

    // MARK: Tunnels

    @Test func ntlmOpensATunnelInThreeSteps() async throws {
        let hellos = EventRecorder<[UInt8]>()
        let proxy = try Self.ntlm(.tunnel) { _ in
            .steps([
                .send("HTTP/1.1 200 Open\r\n\r\n"),
                .converse { bytes in
                    hellos.record(bytes)
                    return nil
                },
            ])
        }
        let delegate = SessionDelegate(passwords: ["wrong", Self.password])
        let session = Asker.tunnel.session(proxy.port)
        let error = try await urlError {
            _ = try await session.data(
                from: Asker.tunnel.url(proxy.port),
                delegate: delegate
            )
        }
        // The other end of the tunnel isn't a TLS server.
        #expect(error.code == .secureConnectionFailed)
        // The type of a TLS handshake record (RFC 8446, 5.1).
        #expect(hellos.events.first?.first == 22)
        #expect(proxy.requests.allSatisfy { $0.method == "CONNECT" })
        let messages = Self.messages(.tunnel, proxy)
        #expect(messages.map(\.?.type) == [nil, 1, 3, 1, 3])
        #expect(messages.last??.user == "user")
        let connections = proxy.requests.map(\.connection)
        #expect(connections[1] == connections[2])
        #expect(connections[3] == connections[4])
        #expect(delegate.challenges.map(\.previousFailureCount) == [0, 1])
        let method = NSURLAuthenticationMethodNTLM
        let challenges = delegate.challenges
        #expect(challenges.allSatisfy { $0.protectionSpace.authenticationMethod == method })
        let response = challenges.last?.failureResponse as? HTTPURLResponse
        #expect(response?.statusCode == 407)
    }

    @Test(.enabled(if: SquidPeer.speaksNTLM && NginxPeer.isAvailable))
    func squidAcceptsNTLM() async throws {
        let server = try LoopbackServer { _ in .text("origin") }
        let nginx = try await NginxPeer.shared()
        let squid = try await SquidPeer.startWithNTLM()
        defer { squid.stop() }
        let delegate = SessionDelegate(password: "any")
        let session = URLSession.test(by: squid.port) {
            $0.tlsConfiguration.trustRoots = .file(nginx.certificates.authority)
        }
        let (data, _) = try await session.data(from: server.at("/"), delegate: delegate)
        #expect(String(decoding: data, as: UTF8.self) == "origin")
        let url = try #require(URL(string: nginx.url(.https)))
        let (text, _) = try await session.data(from: url, delegate: delegate)
        #expect(String(decoding: text, as: UTF8.self) == "hello, world\n")
        let spaces = delegate.challenges.map(\.protectionSpace).filter { $0.isProxy() }
        #expect(spaces.count == 2)
        #expect(spaces.allSatisfy { $0.authenticationMethod == NSURLAuthenticationMethodNTLM })
    }
}
