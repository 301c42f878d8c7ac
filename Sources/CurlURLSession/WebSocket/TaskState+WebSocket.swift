internal import CurlTransport
internal import Foundation

// What a WebSocket changes in its task.

extension TaskState {
    mutating func noteOpening(_ subprotocol: String?, by loader: any Loader) {
        guard isCurrent(loader) else { return }
        webSocket?.subprotocol = subprotocol
        delivery.noteOpening()
    }

    mutating func noteClosing(
        _ code: URLSessionWebSocketTask.CloseCode,
        _ reason: Data?,
        by loader: any Loader
    ) {
        guard isCurrent(loader) else { return }
        webSocket?.closing = (code, reason)
        delivery.noteClosing()
    }

    /// Why a WebSocket task whose response is there has come to nothing: the response is another one
    /// than that which opens a WebSocket.
    var refusal: URLError? {
        guard kind == .webSocket, let status = load?.response?.statusCode, status != 101 else {
            return nil
        }
        return URLError(
            .badServerResponse,
            url: currentRequest?.url,
            reason: "the server answered with the status \(status), and opens no WebSocket.",
            underlying: WebSocketError.refused(statusCode: status, "the status isn't 101")
        )
    }

    /// An error of the WebSocket's as the user is told it: the task's own, where it has one.
    func userError(of error: WebSocketError) -> any Error {
        self.error ?? reason ?? URLError(error, url: currentRequest?.url ?? originalRequest?.url)
    }
}
