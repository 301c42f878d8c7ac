internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The state of a WebSocket task. Kept after the end for messages not yet read.
struct TaskWebSocket: Sendable {
    /// Reused for several connection attempts: a server may first require a credential.
    let connection = WebSocketConnection(allowsReconnecting: true)
    /// Calls the handlers, also after the task has ended.
    let events: DelegateEvents
    /// Orders the peer's close after the messages before it.
    let handover = MessageHandover()

    /// Passed to the delegate.
    private(set) var subprotocol: String?
    private(set) var closing: Closing?
    /// The program's close code and reason.
    private(set) var requested: Closing?
    /// Whether the connection was ended with the task.
    private(set) var isAbandoned = false

    // Methods instead of assignments from outside, for the reason given in TaskLoad.

    mutating func noteOpening(_ subprotocol: String?) { self.subprotocol = subprotocol }

    mutating func noteClosing(_ closing: Closing) { self.closing = closing }

    /// Only the first request counts.
    mutating func noteRequest(_ closing: Closing) {
        if requested == nil { requested = closing }
    }

    mutating func noteAbandoning() { isAbandoned = true }

    /// The close code and reason of the connection; `nil` while it is open.
    var ending: Closing? {
        closing ?? connection.closing.map { Closing($0.status, reason: $0.reason) }
    }
}

extension TaskWebSocket {
    /// The close code of a connection, and the reason.
    struct Closing: Sendable {
        let code: URLSessionWebSocketTask.CloseCode
        /// `nil` for none.
        let reason: Data?
    }
}

extension TaskWebSocket.Closing {
    init(_ status: WebSocketStatus, reason: String) {
        code = URLSessionWebSocketTask.CloseCode(rawValue: Int(status.rawValue)) ?? .invalid
        self.reason = reason.isEmpty ? nil : Data(reason.utf8)
    }
}

extension URLSession {
    func makeWebSocketTask(_ request: URLRequest) -> URLSessionWebSocketTask {
        let webSocket = TaskWebSocket(events: self.core.events)
        let core = makeCore(request, .webSocket(webSocket), .none, .delegate, nil)
        let task = URLSessionWebSocketTask(core: core)
        register(core, as: task)
        return task
    }
}

// Changes that a WebSocket makes to its task.

extension TaskState {
    mutating func noteOpening(_ subprotocol: String?, by loader: any Loader) {
        guard isCurrent(loader) else { return }
        kind.webSocket?.noteOpening(subprotocol)
        delivery.note(.opening)
        if delegates.task != nil { kind.webSocket?.handover.noteOpening() }
    }

    /// Records the close. The delegate isn't notified before ``TaskCore/updateClosing()`` decides.
    mutating func noteClosing(_ closing: TaskWebSocket.Closing, by loader: any Loader) {
        guard isCurrent(loader) else { return }
        kind.webSocket?.noteClosing(closing)
        delivery.note(.closing)
        guard delegates.task != nil else { return }
        delivery.holdClosing()
        kind.webSocket?.handover.noteClosing()
    }

    /// Records a close that the program has requested and the peer hasn't answered.
    mutating func noteUnansweredClosing(by loader: any Loader) {
        guard let webSocket = kind.webSocket, webSocket.closing == nil,
            let requested = webSocket.requested
        else { return }
        noteClosing(requested, by: loader)
    }

    /// The error of a WebSocket task after another response than 101.
    var refusal: URLError? {
        guard kind.isWebSocket, let status = exchange.load?.response?.statusCode, status != 101
        else {
            return nil
        }
        return URLError(
            .badServerResponse,
            url: exchange.currentRequest?.url,
            reason: "the server refused the WebSocket with the status \(status).",
            underlying: WebSocketError.refused(statusCode: status, "the status isn't 101")
        )
    }

    /// Converts a WebSocket error for the user. Returns the task's own error, if it has one.
    func userError(of error: WebSocketError) -> any Error {
        self.error ?? reason
            ?? URLError(error, url: exchange.currentRequest?.url ?? exchange.originalRequest?.url)
    }
}

extension SessionCore {
    /// Builds the WebSocket request of a task.
    ///
    /// - Parameter timeLimit: The timeout of the connection; `nil` for none.
    /// - Throws: The fault of the request.
    func webSocketRequest(
        for loadRequest: LoadRequest,
        timeLimit: Duration?,
        asksForTrust: Bool
    ) throws(TransportError) -> WebSocketRequest {
        var loadRequest = loadRequest
        loadRequest.request.url = try loadRequest.request.url.map { (url) throws(TransportError) in
            try Self.handshakeURL(url)
        }
        let httpRequest = try loadRequest.httpRequest(settings)
        let options = try options(
            for: loadRequest,
            isSecure: httpRequest.scheme == "https",
            asksForTrust: asksForTrust
        )
        do throws(WebSocketError) {
            var request = try WebSocketRequest(httpRequest, options: options)
            request.timeLimit = timeLimit
            return request
        } catch {
            guard case .invalidRequest(let reason) = error else { throw .invalidURL("\(error)") }
            throw .invalidRequest(reason)
        }
    }

    /// Returns the URL with the scheme of the handshake.
    private static func handshakeURL(_ url: URL) throws(TransportError) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw .invalidURL("it can't be parsed")
        }
        switch parts.scheme?.lowercased() {
        case "ws", "http": parts.scheme = "http"
        case "wss", "https": parts.scheme = "https"
        case nil: throw .unsupportedURL("the URL has no scheme, such as wss")
        case let scheme?: throw .unsupportedURL(scheme: scheme)
        }
        // The fragment isn't sent to the server (RFC 6455, 3).
        parts.fragment = nil
        guard let url = parts.url else { throw .invalidURL("its parts make no valid URL") }
        return url
    }
}
