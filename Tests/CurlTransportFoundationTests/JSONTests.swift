internal import CurlTransport
internal import CurlTransportFoundation
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct JSONTests {
    private struct User: Codable, Equatable {
        var firstName: String
        var born: Date
    }

    private static let grace = User(
        firstName: "Grace",
        born: Date(timeIntervalSince1970: 86_400)
    )

    @Test("A value is sent and received as JSON, by the encoder and decoder given")
    func valuesAreCoded() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let client = try HTTPClient()
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let response = try await client.send(
            HTTPRequest(method: .post, url: server.url),
            body: .json(Self.grace, encoder: encoder)
        )
        #expect(try await response.decode(User.self, decoder: decoder) == Self.grace)
        let request = try #require(server.requests.first)
        #expect(request.bodyText == #"{"born":"1970-01-02T00:00:00Z","first_name":"Grace"}"#)
        #expect(request.headers("Content-Type") == ["application/json"])
        await client.shutdown()
    }

    @Test("The request's own Content-Type is kept")
    func ownContentTypeIsKept() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let client = try HTTPClient()
        var request = try HTTPRequest(method: .post, url: server.url)
        request.headerFields[.contentType] = "application/vnd.api+json"
        let response = try await client.send(request, body: .json([1, 2]))
        #expect(try await response.decode([Int].self) == [1, 2])
        #expect(server.requests.first?.header("Content-Type") == "application/vnd.api+json")
        await client.shutdown()
    }

    @Test("Errors of the coders and the limit are thrown")
    func errorsAreThrown() async throws {
        #expect(throws: EncodingError.self) { try RequestBody.json(Double.nan) }
        let server = try LoopbackServer { _ in .text("[1, 2") }
        let client = try HTTPClient()
        let request = try HTTPRequest(url: server.url)
        await #expect(throws: DecodingError.self) {
            try await client.send(request).decode([Int].self)
        }
        let error = await #expect(throws: TransportError.self) {
            try await client.send(request).decode([Int].self, maximumBytes: 4)
        }
        #expect(error?.code == .responseTooLarge)
        await client.shutdown()
    }
}
