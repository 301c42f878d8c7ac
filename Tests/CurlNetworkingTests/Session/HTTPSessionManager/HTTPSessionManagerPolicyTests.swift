internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct HTTPSessionManagerPolicyTests {
    @Test("H-05: A pinning policy is rejected without a secure base URL")
    func aPolicyThatPinsIsRefused() throws {
        for (base, mode) in [("http://h/", SSLPinningMode.certificate), (nil, .publicKey)] {
            let manager = HTTPSessionManager(baseURL: base.flatMap { URL(string: $0) })
            let former = manager.securityPolicy
            let error = #expect(throws: InvalidSecurityPolicy.self) {
                try manager.setSecurityPolicy(SecurityPolicy(pinningMode: mode))
            }
            #expect(error?.name == "Invalid Security Policy" && error?.mode == mode)
            #expect(manager.securityPolicy === former)
            try manager.setSecurityPolicy(SecurityPolicy())
        }
        let secure = HTTPSessionManager(baseURL: URL(string: "https://h/"))
        let policy = SecurityPolicy(pinningMode: .certificate)
        try secure.setSecurityPolicy(policy)
        #expect(secure.securityPolicy === policy)
        let capital = HTTPSessionManager(baseURL: URL(string: "HTTPS://h/"))
        try capital.setSecurityPolicy(policy)
        #expect(capital.securityPolicy === policy)
        #expect(
            InvalidSecurityPolicy(mode: .certificate).reason
                == "A security policy configured with `AFSSLPinningModeCertificate` can only be "
                + "applied on a manager with a secure base URL (i.e. https)"
        )
    }

    @Test("H-05: With a pinning policy but without a secure base URL, each request fails unsent")
    func pinningPolicyWithoutTLSFailsEachRequest() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        manager.securityPolicy = SecurityPolicy(pinningMode: .publicKey)
        #expect(manager.securityPolicy.sslPinningMode == .publicKey)
        let ends = EventRecorder<VerbOutcome>()
        #expect(manager.get("x", success: ends.success, failure: ends.failure) == nil)
        let failed = try await ends.only()
        let error = try #require(failed.error as? InvalidSecurityPolicy)
        #expect(failed.task == nil && error.mode == .publicKey)
        #expect(NetworkingError(error).kind == .invalidRequest)
        await #expect(throws: InvalidSecurityPolicy.self) { try await manager.post("x") }
        await #expect(throws: InvalidSecurityPolicy.self) {
            try await manager.post("x") { $0.appendPart(withForm: Data("y".utf8), name: "n") }
        }
        await #expect(throws: InvalidSecurityPolicy.self) {
            _ = try await manager.stream(urlString: "x")
        }
        // Requests that the program has created are refused when their tasks start.
        let request = try server.request("/x")
        await #expect(throws: InvalidSecurityPolicy.self) {
            _ = try await manager.object(for: request)
        }
        await #expect(throws: InvalidSecurityPolicy.self) {
            _ = try await manager.upload(for: request, from: Data("y".utf8))
        }
        await #expect(throws: InvalidSecurityPolicy.self) {
            _ = try await manager.stream(for: request)
        }
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(with: request) { response, object, error in
            completions.record(Completion(response: response, object: object, error: error))
        }
        manager.setInterceptor(nil, for: task)
        task.resume()
        let completion = try await completions.only()
        #expect(completion.error is InvalidSecurityPolicy && completion.response == nil)
        #expect(server.acceptedConnectionCount == 0)
        manager.securityPolicy = SecurityPolicy()
        try await manager.get("x")
        #expect(server.requestCount == 1)
    }

    @Test("H-05: With a secure base URL, a pinning policy fails requests to other URLs without TLS")
    func pinningPolicyFailsAbsoluteURLsWithoutTLS() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let port = try LoopbackServer.unusedPort()
        for scheme in ["https", "HTTPS"] {
            let manager = HTTPSessionManager.forTest("\(scheme)://127.0.0.1:\(port)/")
            manager.securityPolicy = SecurityPolicy(pinningMode: .publicKey)
            for url in [server.at("/x"), server.at("/x").replacing("http:", with: "HTTP:")] {
                await #expect(throws: InvalidSecurityPolicy.self) { try await manager.get(url) }
            }
            // The policy is evaluated after the connection is established.
            for path in ["x", "HTTPS://127.0.0.1:\(port)/x"] {
                let error = try await urlError { try await manager.get(path) }
                #expect(error.code == .cannotConnectToHost)
            }
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("H-05: Without a base URL, a pinning policy fails only requests without TLS")
    func pinningPolicyWithoutABaseURLNeedsSecureURLs() async throws {
        let port = try LoopbackServer.unusedPort()
        let manager = HTTPSessionManager.forTest()
        manager.securityPolicy = SecurityPolicy(pinningMode: .certificate)
        await #expect(throws: InvalidSecurityPolicy.self) {
            try await manager.get("http://127.0.0.1:\(port)/")
        }
        // The policy is evaluated after the connection is established.
        let error = try await urlError { try await manager.get("https://127.0.0.1:\(port)/") }
        #expect(error.code == .cannotConnectToHost)
    }

    @Test("A-22: A response to HEAD may be empty, and other responses may not")
    func anAnswerToHEADMayBeEmpty() async throws {
        let server = try LoopbackServer { request in
            request.path == "/from" ? .redirect(307, to: "/to") : .status(200)
        }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let serializers: [any URLResponseSerialization] = [
            StringResponseSerializer(), DataResponseSerializer(),
            CompoundResponseSerializer(responseSerializers: [StringResponseSerializer()]),
        ]
        for serializer in serializers {
            manager.responseSerializer = serializer
            try await manager.head("x")
            try await manager.head("from")
            manager.interceptor = Retrier.times(0)
            try await manager.head("x")
            manager.interceptor = nil
            // A compound serializer needn't return an object.
            guard serializer is ValueResponseSerializer else { continue }
            let error = await failure { try await manager.get("x") }
            #expect(error?.code == -1014)
        }
        let empty = await manager.dataResponse(
            withHTTPMethod: .head,
            urlString: "x",
            serializer: DecodableResponseSerializer<Empty>()
        )
        #expect(empty.value == Empty())
    }

    private struct User: Codable, Equatable {
        var name: String
    }

    @Test("A-22, A-26: A response is decoded into the requested type")
    func aResponseIsDecoded() async throws {
        let server = try LoopbackServer { request in
            .text(request.path == "/bad" ? "[]" : #"{"name":"\#(request.method)"}"#)
        }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let user: User = try await manager.get("p", parameters: ["k": 1])
        #expect(user == User(name: "GET"))
        #expect(try await manager.post("p", of: User.self).name == "POST")
        #expect(try await manager.put("p", of: User.self).name == "PUT")
        #expect(try await manager.patch("p", of: User.self).name == "PATCH")
        #expect(try await manager.delete("p", of: User.self).name == "DELETE")
        await #expect(throws: DecodingError.self) { try await manager.get("bad", of: User.self) }
    }
}
