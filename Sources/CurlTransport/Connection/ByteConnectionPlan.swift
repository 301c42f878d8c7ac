internal import Curl
internal import HTTPTypes

/// All that a loop needs to know of a connection: the one thing that crosses to it.
final class ByteConnectionPlan: Sendable {
    let connection: ByteConnection
    /// Scheme and authority alone: where the connection leads.
    let target: HTTPRequest
    let offersHTTP: Bool
    let options: PreparedOptions
    let delegate: any ByteConnectionDelegate
    let submitted: MonotonicTime
    /// In nanoseconds, nil for none.
    let totalLimit: Int64?

    init(
        _ request: ByteConnectionRequest,
        connection: ByteConnection,
        delegate: any ByteConnectionDelegate
    ) {
        self.connection = connection
        target = request.target
        offersHTTP = request.applicationProtocol == .http1
        options = request.options
        self.delegate = delegate
        submitted = .now
        totalLimit = [request.timeLimit?.wholeNanoseconds, request.options.limits.total]
            .compactMap(\.self).min()
    }

    /// Tells the end of a connection that was never begun.
    func refuse(_ error: TransportError) {
        connection.end()
        delegate.connection(connection, didFinishCollecting: TransferMetrics())
        delegate.connection(connection, didCompleteWith: error)
    }
}

extension ByteConnectionRequest {
    /// In the form in which loops remember where requests go.
    var target: HTTPRequest {
        HTTPRequest(
            method: .get,
            scheme: isSecure ? "https" : "http",
            authority: authority,
            path: "/"
        )
    }
}
