internal import CurlTransport
internal import CurlTransportFoundation
internal import HTTPTypes

/// What the page "CurlTransportFoundation" shows.
struct CurlTransportFoundationPage: Sendable {
    let client: HTTPClient
    let print: Print

    struct Question: Encodable {
        let text: String
    }

    struct Answer: Decodable {
        let method: String
        let bytes: Int
    }

    func json(_ url: String) async throws {
        // snippet: CurlTransportFoundation/json
        let response = try await client.send(
            HTTPRequest(method: .post, url: url),
            body: .json(Question(text: "What is new?"))
        )
        let answer = try await response.decode(Answer.self)
        // end
        print(answer.method, answer.bytes)
    }
}
