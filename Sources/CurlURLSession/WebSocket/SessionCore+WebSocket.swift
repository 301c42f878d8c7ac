internal import CurlTransport
internal import Foundation
internal import HTTPTypes

extension SessionCore {
    /// What a task's WebSocket asks the server for.
    ///
    /// - Parameter timeLimit: How long it may last; `nil` for as long as it likes.
    /// - Throws: What is wrong with the request.
    func webSocketRequest(
        for plan: LoadPlan,
        timeLimit: Duration?,
        asksForTrust: Bool
    ) throws(TransportError) -> WebSocketRequest {
        var plan = plan
        plan.request.url = try plan.request.url.map { (url) throws(TransportError) in
            try Self.handshakeURL(url)
        }
        let outgoing = try OutgoingRequest(plan, settings: settings).make()
        let options = try options(for: plan, outgoing, asksForTrust: asksForTrust)
        do throws(WebSocketError) {
            var request = try WebSocketRequest(outgoing, options: options)
            request.timeLimit = timeLimit
            return request
        } catch {
            guard case .invalidRequest(let reason) = error else { throw .invalidURL("\(error)") }
            throw .invalidRequest(reason)
        }
    }

    /// The URL in the scheme that the handshake goes by.
    private static func handshakeURL(_ url: URL) throws(TransportError) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .invalidURL("it can't be taken apart")
        }
        switch parts.scheme?.lowercased() {
        case "ws", "http": parts.scheme = "http"
        case "wss", "https": parts.scheme = "https"
        case let scheme: throw .unsupportedURL(scheme: scheme ?? "")
        }
        // A fragment is the client's own (RFC 6455, 3).
        parts.fragment = nil
        guard let url = parts.url else { throw .invalidURL("it can't be put together") }
        return url
    }
}
