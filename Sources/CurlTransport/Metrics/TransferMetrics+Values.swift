internal import Curl
internal import Posix

extension TransferMetrics {
    /// Creates metrics from values, for a response or an error that the program makes itself.
    ///
    /// The properties of the same names say what the values mean. Times below zero count as zero.
    ///
    /// - Parameters:
    ///   - httpVersion: `1.0`, `1.1`, `2` or `3`; anything else counts as nil.
    ///   - remoteAddress: an IPv4 or IPv6 address of at most 45 characters.
    public init(
        queue: Duration = .zero,
        lastRequestStart: Duration = .zero,
        nameLookupEnd: Duration? = nil,
        connectEnd: Duration? = nil,
        tlsEnd: Duration? = nil,
        requestStart: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration,
        requestBytes: Int64 = 0,
        responseBytes: Int64 = 0,
        responseHeadBytes: Int64 = 0,
        bodyBytes: Int64 = 0,
        isConnectionReused: Bool = false,
        httpVersion: String? = nil,
        tlsVersion: String? = nil,
        tlsCipher: String? = nil,
        remoteAddress: String? = nil,
        remotePort: Int? = nil,
        localAddress: String? = nil,
        localPort: Int? = nil,
        redirectCount: Int = 0
    ) {
        var values = TransferMeasurements()
        values.queue = Self.nanoseconds(queue)
        values.lastRequestStart = Self.nanoseconds(lastRequestStart)
        values.nameLookupEnd = nameLookupEnd.map(Self.nanoseconds)
        values.connectEnd = connectEnd.map(Self.nanoseconds)
        values.tlsEnd = tlsEnd.map(Self.nanoseconds)
        values.requestStart = requestStart.map(Self.nanoseconds)
        values.firstByte = firstByte.map(Self.nanoseconds)
        values.total = Self.nanoseconds(total)
        values.requestBytes = requestBytes
        values.responseBytes = responseBytes
        values.responseHeadBytes = UInt32(clamping: responseHeadBytes)
        values.bodyBytes = bodyBytes
        values.isConnectionReused = isConnectionReused
        values.httpVersion =
            switch httpVersion {
            case "1.0": 1
            case "1.1": 2
            case "2": 3
            case "3": 30
            default: 0
            }
        values.redirectCount = UInt16(clamping: redirectCount)
        if remoteAddress != nil || localAddress != nil || tlsVersion != nil {
            values.connection = ConnectionInfo(
                remoteAddress: remoteAddress.map { AddressText($0) } ?? AddressText(),
                remotePort: remotePort,
                localAddress: localAddress.map { AddressText($0) } ?? AddressText(),
                localPort: localPort,
                tls: tlsVersion.map { TLSInfo(version: $0, cipher: tlsCipher ?? "") }
            )
        }
        self.init(values)
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        max(0, duration.wholeNanoseconds)
    }
}
