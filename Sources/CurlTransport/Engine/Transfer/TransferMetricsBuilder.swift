internal import Curl
internal import Posix

/// Collects the measurements of one transfer from its completed attempts.
///
/// Confined to the loop thread. It is separate from its transfer, because a waiting transfer
/// doesn't need it, and is reused by successive transfers.
final class TransferMetricsBuilder {
    var measurements = TransferMeasurements()
    /// The connection that an earlier attempt has opened, and over which no request was sent: its
    /// server had to be trusted first.
    private var openedSocket: ConnectionSocket?

    /// Adds the measurements of `attempt`, whose handle still exists.
    ///
    /// See ``TransferMeasurements/add(_:over:submitted:queueTime:content:continuesConnection:)``.
    func add(
        _ attempt: TransferAttempt,
        over connection: ConnectionInfo?,
        submitted: MonotonicTime,
        queueTime: Int64,
        content: Int
    ) {
        let socket = attempt.connection.socket
        let continuesConnection = socket != nil && socket === openedSocket
        measurements.add(
            attempt,
            over: connection,
            submitted: submitted,
            queueTime: queueTime,
            content: content,
            continuesConnection: continuesConnection
        )
        if attempt.connection.sendingStarted != nil {
            openedSocket = nil
        } else if !continuesConnection {
            openedSocket = attempt.connection.newSockets.first { $0 === socket }
        }
    }

    /// Completes the measurements.
    func complete(redirects: Int, queueTime: Int64, total: Int64) {
        measurements.complete(redirects: redirects, queueTime: queueTime, total: total)
    }

    /// Prepares for another transfer.
    func reset() {
        measurements = TransferMeasurements()
        openedSocket = nil
    }
}

@available(*, unavailable)
extension TransferMetricsBuilder: Sendable {}

extension TransferMeasurements {
    /// Adds libcurl's measurements of `attempt`, whose handle still exists.
    ///
    /// Times are relative to the transfer's submission, without the time in the queue. libcurl's
    /// are relative to the start of the attempt.
    ///
    /// - Parameters:
    ///   - content: The size of the content that is sent with the request's head.
    ///   - continuesConnection: Whether the last attempt has opened the connection and sent nothing
    ///     over it. Then its times remain.
    mutating func add(
        _ attempt: TransferAttempt,
        over connection: ConnectionInfo?,
        submitted: MonotonicTime,
        queueTime: Int64,
        content: Int,
        continuesConnection: Bool
    ) {
        let easy = attempt.easy
        let offset = max(0, attempt.started.nanoseconds(since: submitted) - queueTime)
        func moment(_ info: EasyInfo<Int64>) -> Int64? {
            guard let microseconds = easy.handle.get(info), microseconds > 0 else { return nil }
            return offset + microseconds * 1_000
        }
        if !continuesConnection {
            lastRequestStart = offset
            nameLookupEnd = moment(.nameLookupTime)
            connectEnd = moment(.connectTime)
            tlsEnd = moment(.appConnectTime)
        }
        // libcurl 8.23 has these moments without a connection, too.
        let isSent = attempt.connection.sendingStarted != nil
        requestStart = isSent ? moment(.preTransferTime) : nil
        firstByte = isSent ? moment(.startTransferTime) : nil
        requestBytes += Self.requestBytes(of: attempt, content: content)
        let head = Int64(easy.handle.get(.headerSize) ?? 0)
        responseHeadBytes = UInt32(clamping: Int64(responseHeadBytes) + head)
        responseBytes += head + (easy.handle.get(.sizeDownload) ?? 0)
        bodyBytes = attempt.response.bodyBytes
        isConnectionReused = isSent && !continuesConnection && easy.handle.get(.numConnects) == 0
        httpVersion = Int8(clamping: easy.handle.get(.httpVersion) ?? 0)
        self.connection = connection
    }

    mutating func complete(redirects: Int, queueTime: Int64, total: Int64) {
        redirectCount = UInt16(clamping: redirects)
        queue = queueTime
        self.total = max(0, total - queueTime)
    }

    /// The sent bytes of the attempt.
    ///
    /// libcurl counts content that is sent together with the head both as request and as upload,
    /// since 8.7 all content.
    private static func requestBytes(of attempt: TransferAttempt, content: Int) -> Int64 {
        let easy = attempt.easy
        let request = Int64(easy.handle.get(.requestSize) ?? 0)
        guard !CurlVersion.current.isAtLeast(8, 7) else { return request }
        let upload = easy.handle.get(.sizeUpload) ?? 0
        return request + upload - min(upload, Int64(content))
    }
}
