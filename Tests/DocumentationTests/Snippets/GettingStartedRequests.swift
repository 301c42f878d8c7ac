// snippet: GettingStarted/requests
import CurlTransport
import HTTPTypes

// hide
/// The requests that the guide shows.
struct GettingStartedRequests: Sendable {
    let print: Print

    func use(_ url: String, _ file: String, _ token: String) async throws {
        // show
        let client = try HTTPClient()
        let request = try HTTPRequest(url: url)

        let response = try await client.send(request)
        for try await chunk in response.body {  // streamed: a slow reader makes the server wait
            print(chunk.count)
        }

        let page = try await client.send(request).body.collect(upTo: 1 << 20)  // within a bound
        let saved = try await client.download(request, to: file)  // to a file, atomically

        var options = client.options  // the client's options, changed for one request
        options.timeouts.total = .seconds(5)
        options.authentication = .bearer(token: token)
        let created = try await client.send(
            HTTPRequest(method: .post, url: url),
            body: .file(path: file),
            options: options
        )

        await client.shutdown()  // no thread, no descriptor is left
        // end
        print("\(page.count) \(saved.status.code) \(created.status.code)")
    }
}
