internal import CurlTransport
internal import HTTPTypes

/// Asks the server whether an exchange is complete.
///
/// It is complete when everything is sent or the connection is closed. The bytes after the response
/// have then arrived, so that no later request can get them.
struct Control: Sendable {
    private let client: HTTPClient

    init() throws {
        var configuration = TransportConfiguration()
        configuration.maximumIdleConnections = 64
        // Each case has an address of its own, and libcurl searches all of its cache for expired ones.
        configuration.dnsCacheLifetime = .zero
        client = try HTTPClient(configuration: configuration)
    }

    /// Waits for the end of an exchange, if it `settles`; returns whether its connection is fit for another.
    ///
    /// A cancelled exchange either closed its connection or had its whole response. In the second case
    /// bytes may follow on a connection that is reused, and no client can tell them from a response.
    func settle(_ exchange: Exchange, _ settles: Bool, isCancelled: Bool) async -> Bool {
        guard settles else { return true }
        if isCancelled { return false }
        await settle(exchange)
        return true
    }

    private func settle(_ exchange: Exchange) async {
        guard let request = try? HTTPRequest(url: exchange.settleURL) else { return }
        let response = try? await client.send(request)
        _ = try? await response?.body.collect(upTo: 0)
    }

    func end() async {
        await client.shutdown()
    }
}
