internal import CurlTransport
internal import HTTPTypes

/// What the page "Refuse private addresses" shows.
struct PrivateAddresses: Sendable {
    let print: Print

    static func client() throws -> HTTPClient {
        // snippet: PrivateAddresses/client
        var options = TransferOptions()
        options.addressScope = .publicOnly
        let client = try HTTPClient(options: options)
        // end
        return client
    }

    func send(_ url: String, with client: HTTPClient) async throws {
        // snippet: PrivateAddresses/send
        do {
            let response = try await client.send(HTTPRequest(url: url))
            print(response.statusCode)
        } catch let error where error.code == .addressRefused {
            print("this URL isn't on the internet")
        }
        // end
    }
}
