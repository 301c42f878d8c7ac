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
        let body = try await response.body.collect(upTo: 1 << 20)  // at most 1 MiB
        print("\(response.status.code): \(body.count) bytes")
        await client.shutdown()
        // end
    }
}
