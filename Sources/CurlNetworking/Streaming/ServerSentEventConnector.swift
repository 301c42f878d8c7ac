internal import CurlURLSession
internal import Foundation

/// Connects with a stream of server-sent events: the first time, and again.
struct ServerSentEventConnector: Sendable {
    let manager: URLSessionManager
    let request: URLRequest
    /// `nil` where it isn't done again.
    let reconnection: ServerSentEventReconnection?

    private static let type = "text/event-stream"

    /// - Parameter lastEventID: Empty without one.
    /// - Returns: The stream, of which a response with 204 has nothing, and means that there is no more.
    /// - Throws: The transport's error, or that the response isn't what it should be.
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
            request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID")
        }
        let stream = try await manager.stream(for: request, accepting: Self.rules)
        // What is empty is acceptable to serializers whatever it is, and would be asked for for ever.
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

    /// Whether the server wants nobody to connect again.
    static func isOver(_ response: URLResponse) -> Bool {
        (response as? HTTPURLResponse)?.statusCode == 204
    }

    /// Whether another attempt may come out better. What the server itself says is final.
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
