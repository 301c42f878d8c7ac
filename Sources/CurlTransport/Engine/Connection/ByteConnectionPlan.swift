internal import HTTPTypes
internal import Posix

/// All that a loop needs to know of a connection, sent to it in one object.
final class ByteConnectionPlan: Sendable {
    let connection: ByteConnection
    /// The destination: only scheme and authority.
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

    /// Completes a connection that was never started with an error.
    func refuse(_ error: TransportError) {
        connection.end()
        let metrics = TransferMetrics()
        delegate.connection(connection, didFinishCollecting: metrics)
        delegate.connection(connection, didCompleteWith: error.ending(connection.id, metrics))
    }
}

extension ByteConnectionRequest {
    /// The destination in the form by which loops look up endpoints.
    var target: HTTPRequest {
        HTTPRequest(
            method: .get,
            scheme: isSecure ? "https" : "http",
            authority: authority,
            path: "/"
        )
    }
}
