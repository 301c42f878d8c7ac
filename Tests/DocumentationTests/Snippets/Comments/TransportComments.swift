internal import CurlTransport
internal import HTTPTypes

/// What the documentation comments of `CurlTransport` show.
struct TransportComments: Sendable {
    let client: HTTPClient
    let print: Print

    /// Compiled only: it needs the internet.
    func send() async throws {
        // snippet: HTTPClient.swift/send
        let response = try await HTTPClient.shared.send(HTTPRequest(url: "https://example.org/"))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        // end
        print(bytes.count)
    }

    /// Compiled only: it needs the internet.
    func withClient() async throws {
        // snippet: HTTPClient+Lifetime.swift/withClient
        let page = try await HTTPClient.withClient { client in
            let response = try await client.send(HTTPRequest(url: "https://example.org/"))
            return try await response.body.collect(upTo: 1 << 20)
        }
        // end
        print(page.count)
    }

    func taskExecutor(_ urls: [String]) async {
        // snippet: HTTPClient.swift/taskExecutor
        await withTaskExecutorPreference(client.taskExecutor) {
            await withDiscardingTaskGroup { group in
                for url in urls { group.addTask { await visit(url, with: client) } }
            }
        }
        // end
    }

    private func visit(_ url: String, with client: HTTPClient) async {
        let response = try? await client.send(HTTPRequest(url: url))
        print(response?.statusCode ?? 0)
    }

    func errors(_ request: HTTPRequest) async throws {
        // snippet: TransportError.swift/errors
        do {
            let response = try await client.send(request)
            print(response.statusCode)
        } catch let error where error.isTimeout {
            print("try later")
        } catch let error where error.code == .certificateExpired {
            print("tell the owner of the server")
        }
        // end
    }
}
