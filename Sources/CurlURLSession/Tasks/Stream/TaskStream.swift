internal import CurlTransport
internal import Foundation
internal import Synchronization

/// The state of a stream task. Kept after the end for bytes not yet read.
struct TaskStream: Sendable {
    let connection = StreamConnection()
    /// Calls the handlers, also after the task has ended.
    let events: DelegateEvents
    /// As in an authority (RFC 3986, 3.2): an IPv6 address has brackets.
    let host: String
    let port: Int
    /// Whether the connection was or will be captured.
    var isCaptured = false
    /// Whether TLS is used from the start.
    var isSecure = false
    /// Whether the connection was ended with the task.
    var isAbandoned = false
}

extension URLSession {
    func makeStreamTask(_ hostName: String, _ port: Int) -> URLSessionStreamTask {
        var parts = URLComponents()
        parts.scheme = "tcp"
        let isPort = (1...65_535).contains(port)
        if isPort { parts.port = port }
        let host =
            hostName.contains(":") && !hostName.hasPrefix("[") ? "[\(hostName)]" : hostName
        parts.host = host
        let url = parts.url
        let stream = TaskStream(events: self.core.events, host: host, port: port)
        let core = makeCore(
            url.map { URLRequest(url: $0) },
            .stream(stream),
            .none,
            .delegate,
            nil
        )
        if hostName.isEmpty || !isPort || url == nil {
            core.state.withLock { $0.startFailure = .invalidEndpoint }
        }
        let task = URLSessionStreamTask(core: core)
        register(core, as: task)
        return task
    }
}

// Changes that a stream makes to its task.

extension TaskState {
    mutating func noteReadClosing(by loader: any Loader) {
        if isCurrent(loader) { delivery.note(.readClosing) }
    }

    mutating func noteWriteClosing(by loader: any Loader) {
        if isCurrent(loader) { delivery.note(.writeClosing) }
    }

    /// The connection can be handed over. Returns false if there is no delegate.
    mutating func noteCapture(by loader: any Loader) -> Bool {
        guard isCurrent(loader) else { return true }
        if delegates.task != nil { delivery.note(.capture) }
        return delegates.task != nil
    }

    /// The connection was handed over, which ends the task.
    mutating func noteRelease() {
        exchange.load?.end(with: LoadOutcome())
        hasEnded = true
        kind.stream?.isAbandoned = true
        delivery.noteRelease()
    }

    /// Converts a stream error for the user.
    ///
    /// Returns the task's own error, if it has one and the error isn't a single call's timeout.
    func userError(of error: TransportError) -> any Error {
        let isCallsOwn = error.isTimeout && reason == nil
        return (isCallsOwn ? nil : self.error ?? reason) ?? exchange.urlError(error)
    }
}

extension SessionCore {
    /// Builds the connection request of a stream task.
    ///
    /// - Parameter timeLimit: The timeout of the connection; `nil` for none.
    /// - Throws: The fault of the options.
    func streamRequest(
        for loadRequest: LoadRequest,
        _ stream: TaskStream,
        timeLimit: Duration?,
        asksForTrust: Bool
    ) throws(TransportError) -> ByteConnectionRequest {
        var request = ByteConnectionRequest(
            authority: "\(stream.host):\(stream.port)",
            isSecure: stream.isSecure,
            options: try options(
                for: loadRequest,
                isSecure: stream.isSecure,
                asksForTrust: asksForTrust
            )
        )
        request.timeLimit = timeLimit
        return request
    }
}
