internal import Curl

extension TransferFacts {
    /// Takes over what libcurl measured on `hop`, whose handle is still there.
    ///
    /// Moments count from the transfer's submission, the time in the queue left out: libcurl's count
    /// from the start of the hop.
    ///
    /// - Parameter content: the size of the content that goes with the request's head.
    mutating func add(
        _ hop: Hop,
        over connection: ConnectionFacts?,
        submitted: MonotonicTime,
        queueTime: Int64,
        content: Int
    ) {
        let easy = hop.easy
        let offset = max(0, hop.started.nanoseconds(since: submitted) - queueTime)
        func moment(_ info: EasyInfo<Int64>) -> Int64? {
            guard let microseconds = easy.handle.get(info), microseconds > 0 else { return nil }
            return offset + microseconds * 1_000
        }
        lastRequestStart = offset
        nameLookupEnd = moment(.nameLookupTime)
        connectEnd = moment(.connectTime)
        tlsEnd = moment(.appConnectTime)
        requestStart = moment(.preTransferTime)
        firstByte = moment(.startTransferTime)
        requestBytes += Self.requestBytes(of: hop, content: content)
        let head = Int64(easy.handle.get(.headerSize) ?? 0)
        responseHeadBytes = UInt32(clamping: Int64(responseHeadBytes) + head)
        responseBytes += head + (easy.handle.get(.sizeDownload) ?? 0)
        bodyBytes = hop.bodyBytes
        isConnectionReused = hop.sendingStarted != nil && easy.handle.get(.numConnects) == 0
        httpVersion = Int8(clamping: easy.handle.get(.httpVersion) ?? 0)
        self.connection = connection
    }

    mutating func complete(redirects: Int, queueTime: Int64, total: Int64) {
        redirectCount = UInt16(clamping: redirects)
        queue = queueTime
        self.total = max(0, total - queueTime)
    }

    /// libcurl counts content that goes with the head in one piece both as request and as upload,
    /// and since 8.7 all content.
    private static func requestBytes(of hop: Hop, content: Int) -> Int64 {
        let easy = hop.easy
        let request = Int64(easy.handle.get(.requestSize) ?? 0)
        guard !CurlVersion.current.isAtLeast(8, 7) else { return request }
        let upload = easy.handle.get(.sizeUpload) ?? 0
        return request + upload - min(upload, Int64(content))
    }
}
