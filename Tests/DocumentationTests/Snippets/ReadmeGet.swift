// snippet: README/get
import CurlTransport
import HTTPTypes

// hide
/// The first example of the README.
struct ReadmeGet: Sendable {
    let print: Print

    func use(_ url: String) async throws {
        // show
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: url))
        print(response.status.code, try await response.body.collect(upTo: 1 << 20).count)
        await client.shutdown()
        // end
    }
}
