import CurlTransport
import HTTPTypes

/// The concurrent requests that the guide shows.
struct GettingStartedManyRequests: Sendable {
    let print: Print

    func use(_ client: HTTPClient, _ urls: [String]) async {
        let fetch = { @Sendable (url: String) in
            let body = try await client.send(HTTPRequest(url: url)).body.collect(upTo: 1 << 20)
            print("\(body.count) bytes")
        }
        // snippet: GettingStarted/many
        await withTaskExecutorPreference(client.taskExecutor) {
            await withTaskGroup { group in
                for url in urls { group.addTask { try? await fetch(url) } }
            }
        }
        // end
    }
}
