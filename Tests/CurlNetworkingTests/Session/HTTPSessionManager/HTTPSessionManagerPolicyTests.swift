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
        #expect(
            InvalidSecurityPolicy(mode: .certificate).reason
                == "A security policy configured with `AFSSLPinningModeCertificate` can only be "
                + "applied on a manager with a secure base URL (i.e. https)"
        )
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
