internal import CurlTransport
internal import Foundation

extension URLError {
    /// The same failure as the URL loading system reports it.
    init(_ error: WebSocketError, url: URL?) {
        switch error {
        case .cancelled:
            self.init(TransportError.cancelled, url: url)
        case .connection(let error):
            self.init(error, url: url)
        case .invalidRequest(let reason):
            self.init(.badURL, url: url, reason: "\(reason).", underlying: error)
        case .refused(_, let reason):
            self.init(.badServerResponse, url: url, reason: "\(reason).", underlying: error)
        case .violation(let violation):
            let isTooBig = violation.status == .messageTooBig
            self.init(
                isTooBig ? .dataLengthExceedsMaximum : .badServerResponse,
                url: url,
                reason: "the server doesn't keep to the protocol: \(violation.reason).",
                underlying: error
            )
        case .closed(let status):
            self.init(
                .networkConnectionLost,
                url: url,
                reason: "the WebSocket was closed, with the status \(status.rawValue).",
                underlying: error
            )
        }
    }
}
