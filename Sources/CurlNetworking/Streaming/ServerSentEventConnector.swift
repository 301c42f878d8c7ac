internal import CurlURLSession
internal import Foundation

/// Connects and reconnects to a stream of server-sent events.
struct ServerSentEventConnector: Sendable {
    let manager: URLSessionManager
    let request: URLRequest
    /// The rules of reconnection; `nil` for none.
    let reconnection: ServerSentEventReconnection?

    private static let type = "text/event-stream"

    /// Connects to the server.
    ///
    /// - Parameter lastEventID: The last event ID; empty for none.
    /// - Returns: The stream. A response with 204 is empty, and ends the stream of events.
    /// - Throws: The transport's error, or an error for an unacceptable response.
    func connect(lastEventID: String) async throws -> ResponseStream {
        var request = request
        if request.value(forHTTPHeaderField: "Accept") == nil {
            request.setValue(Self.type, forHTTPHeaderField: "Accept")
        }
        if request.value(forHTTPHeaderField: "Cache-Control") == nil {
            request.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
        }
        request.cachePolicy = .reloadIgnoringLocalCacheData
        if !lastEventID.isEmpty {
            try request.set(HTTPHeader(name: "Last-Event-ID", value: lastEventID))
        }
        let stream = try await manager.stream(for: request, accepting: Self.rules)
        // Serializers accept an empty body of any media type, which would cause endless
        // reconnections.
        if !Self.isOver(stream.response), let response = stream.response as? HTTPURLResponse,
            response.mimeType?.lowercased() != Self.type
        {
            throw stream.source.refuse(
                because: NSError.unacceptableContentType(
                    response,
                    acceptable: [Self.type],
                    data: nil
                )
            )
        }
        return stream
    }

    /// Whether the server asks clients not to reconnect.
    static func isOver(_ response: URLResponse) -> Bool {
        (response as? HTTPURLResponse)?.statusCode == 204
    }

    /// Whether another attempt may succeed. A response from the server is final.
    static func mayRetry(after error: any Error) -> Bool {
        switch NetworkingError(error).kind {
        case .timeout, .connectivity: true
        case .loading(let code): code == .badServerResponse || code == .cannotParseResponse
        default: false
        }
    }

    private static var rules: HTTPResponseSerializer {
        let rules = HTTPResponseSerializer()
        rules.acceptance = ResponseAcceptance(
            statusCodes: [200, 204],
            contentTypes: [type],
            contentTypeMatching: .patterns
        )
        return rules
    }
}
