internal import CurlTransport
internal import Foundation

/// What the page "Generated clients" shows, besides the transport itself.
enum GeneratedClients {
    /// In place of the generated client.
    struct Client {
        let serverURL: URL
        let transport: any ClientTransport
    }

    static func client(_ url: URL, _ http: HTTPClient) -> Client {
        // snippet: GeneratedClients/use
        let client = Client(serverURL: url, transport: OpenAPITransport(client: http))
        // end
        return client
    }
}
