internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// Encoding and decoding a manager's settings.
@Suite(.timeLimit(.minutes(10))) struct HTTPSessionManagerValuesTests {
    private func written(_ manager: HTTPSessionManager) throws -> HTTPSessionManagerValues {
        let data = try JSONEncoder().encode(HTTPSessionManagerValues(manager))
        return try JSONDecoder().decode(HTTPSessionManagerValues.self, from: data)
    }

    @Test("H-14: Base URL, configuration, serializers and policy are encoded and decoded")
    func allManagerValuesAreEncodedAndDecoded() throws {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 12
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://example.com/v1"),
            sessionConfiguration: configuration
        )
        let json = JSONRequestSerializer()
        json.writingOptions = .sortedKeys
        json.setValue("mine", forHTTPHeaderField: "X-Mine")
        manager.requestSerializer = json
        let response = JSONResponseSerializer(readingOptions: .fragmentsAllowed)
        response.removesKeysWithNullValues = true
        response.acceptableStatusCodes = IndexSet(integer: 418)
        manager.responseSerializer = response
        let pins: Set = [Data("a certificate".utf8)]
        manager.securityPolicy = SecurityPolicy(
            pinningMode: .certificate,
            withPinnedCertificates: pins
        )
        manager.securityPolicy.validatesDomainName = false
        let made = try written(manager).manager()
        #expect(made.baseURL?.absoluteString == "https://example.com/v1/")
        let session = made.session.configuration
        #expect(session.timeoutIntervalForRequest == 12)
        #expect(session.httpAdditionalHeaders?["X-One"] as? String == "1")
        let madeJSON = try #require(made.requestSerializer as? JSONRequestSerializer)
        #expect(madeJSON.writingOptions == .sortedKeys)
        #expect(madeJSON.value(forHTTPHeaderField: "X-Mine") == "mine")
        let madeResponse = try #require(made.responseSerializer as? JSONResponseSerializer)
        #expect(madeResponse.readingOptions == .fragmentsAllowed)
        #expect(madeResponse.removesKeysWithNullValues)
        #expect(madeResponse.acceptableStatusCodes == IndexSet(integer: 418))
        #expect(made.securityPolicy.settings == manager.securityPolicy.settings)
        #expect(made.securityPolicy.pinnedCertificates == pins)
    }

    @Test("H-14: Each kind of serializer is decoded as the same kind")
    func serializersOfAllKinds() throws {
        let manager = HTTPSessionManager(baseURL: nil)
        manager.requestSerializer = PropertyListRequestSerializer()
        let text = HTTPResponseSerializer()
        text.acceptableContentTypes = ["text/plain"]
        manager.responseSerializer = CompoundResponseSerializer(responseSerializers: [
            PropertyListResponseSerializer(), ImageResponseSerializer(), text,
        ])
        let made = try written(manager).manager()
        #expect(type(of: made.requestSerializer) == PropertyListRequestSerializer.self)
        let compound = try #require(made.responseSerializer as? CompoundResponseSerializer)
        let parts = compound.responseSerializers.compactMap { $0 as? HTTPResponseSerializer }
        #expect(
            parts.map { "\(type(of: $0))" } == [
                "PropertyListResponseSerializer", "ImageResponseSerializer",
                "HTTPResponseSerializer",
            ]
        )
        #expect(parts.last?.acceptableContentTypes == ["text/plain"])
        #expect(made.baseURL == nil)
    }

    @Test(
        "H-14, H-05: A policy that doesn't fit the base URL is rejected when the manager is created"
    )
    func invalidPolicyIsRefusedWhenManagerIsCreated() throws {
        let manager = HTTPSessionManager(baseURL: URL(string: "http://example.com"))
        // The property accepts the policy, with which requests fail.
        manager.securityPolicy = SecurityPolicy(pinningMode: .publicKey)
        let values = try written(manager)
        #expect(throws: InvalidSecurityPolicy.self) { try values.manager() }
    }

    @Test("H-14: Settings that can't be encoded are an error")
    func settingsThatCannotBeEncodedThrow() {
        let manager = HTTPSessionManager(baseURL: nil)
        let response = HTTPResponseSerializer()
        response.validation = { _, _ in }
        manager.responseSerializer = response
        #expect(throws: EncodingError.self) { try HTTPSessionManagerValues(manager) }
        manager.responseSerializer = OwnSerializer()
        #expect(throws: EncodingError.self) { try HTTPSessionManagerValues(manager) }
        manager.responseSerializer = HTTPResponseSerializer()
        manager.requestSerializer.setQueryStringSerialization { (_: URLRequest, _: Any) in "" }
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode(HTTPSessionManagerValues(manager))
        }
    }

    @Test("H-14: A decoded manager loads requests")
    func decodedManagerLoads() async throws {
        let server = try LoopbackServer { request in
            Reply(
                headers: [("Content-Type", "application/json")],
                body: .bytes(Array("{\"path\": \"\(request.path)\"}".utf8))
            )
        }
        let manager = HTTPSessionManager(baseURL: URL(string: server.at("/v1")))
        let made = try written(manager).manager(sessionConfiguration: .ephemeral)
        let object = try await made.get("users")
        #expect((object as? [String: any Sendable])?["path"] as? String == "/v1/users")
    }
}

private final class OwnSerializer: JSONResponseSerializer, @unchecked Sendable {}
