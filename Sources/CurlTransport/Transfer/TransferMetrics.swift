package import Curl

/// How a transfer went: how long each phase took, how much was moved, and over which connection.
///
/// Times are measured to the microsecond from the moment the transfer is started, without the time
/// spent waiting for a place, which is ``queue``. What wasn't reached, or wasn't needed since a
/// connection was re-used, is nil. Of a transfer with redirects, the times are those of the last
/// request, and those before it lie ahead of ``lastRequestStart``.
/// See <https://curl.se/libcurl/c/curl_easy_getinfo.html>, "Times".
public struct TransferMetrics: Sendable, Hashable {
    // MARK: Moments, from the start of the request

    /// The time spent waiting for a place before the transfer began.
    public package(set) var queue: Duration {
        get { .nanoseconds(moments.queue) }
        set { moments.queue = newValue.wholeNanoseconds }
    }
    /// Until the last request could begin: more than zero where redirects or other attempts went
    /// before it.
    public package(set) var lastRequestStart: Duration {
        get { .nanoseconds(moments.lastRequestStart) }
        set { moments.lastRequestStart = newValue.wholeNanoseconds }
    }
    /// Until the host's addresses were known.
    public package(set) var nameLookupEnd: Duration? {
        get { moments.nameLookupEnd.map { .nanoseconds($0) } }
        set { moments.nameLookupEnd = newValue?.wholeNanoseconds }
    }
    /// Until the connection stood, to the server or to the proxy.
    public package(set) var connectEnd: Duration? {
        get { moments.connectEnd.map { .nanoseconds($0) } }
        set { moments.connectEnd = newValue?.wholeNanoseconds }
    }
    /// Until the TLS handshake was done.
    public package(set) var tlsEnd: Duration? {
        get { moments.tlsEnd.map { .nanoseconds($0) } }
        set { moments.tlsEnd = newValue?.wholeNanoseconds }
    }
    /// Until all was ready to send the request.
    public package(set) var requestStart: Duration? {
        get { moments.requestStart.map { .nanoseconds($0) } }
        set { moments.requestStart = newValue?.wholeNanoseconds }
    }
    /// Until the first byte of the response was there.
    public package(set) var firstByte: Duration? {
        get { moments.firstByte.map { .nanoseconds($0) } }
        set { moments.firstByte = newValue?.wholeNanoseconds }
    }
    /// Until the transfer was over, ``queue`` not included.
    public package(set) var total: Duration {
        get { .nanoseconds(moments.total) }
        set { moments.total = newValue.wholeNanoseconds }
    }

    /// The moments in nanoseconds: a loop notes them for each transfer, and few are looked at.
    var moments = Moments()

    struct Moments: Sendable, Hashable {
        var queue: Int64 = 0
        var lastRequestStart: Int64 = 0
        var nameLookupEnd: Int64?
        var connectEnd: Int64?
        var tlsEnd: Int64?
        var requestStart: Int64?
        var firstByte: Int64?
        var total: Int64 = 0
    }

    // MARK: Amounts, in bytes

    /// The request as it was sent: head and body.
    public package(set) var requestBytes: Int64 = 0
    /// The response as it was received: heads, and the body before decompression.
    public package(set) var responseBytes: Int64 = 0
    /// The response body after decompression.
    public package(set) var bodyBytes: Int64 = 0

    // MARK: The connection

    /// Whether the request went over a connection that another one had opened.
    public package(set) var isConnectionReused = false
    /// The protocol that was spoken: `1.0`, `1.1`, `2` or `3`; nil before a response came.
    public var httpVersion: String? {
        switch versionNumber {
        case 1: "1.0"
        case 2: "1.1"
        case 3: "2"
        case 30: "3"
        default: nil
        }
    }
    /// The version of TLS, such as `TLSv1.3`; nil without TLS, or where it isn't known.
    public var tlsVersion: String? { tlsInfo?.version }
    /// The name of the TLS cipher; nil without TLS, or where it isn't known.
    public var tlsCipher: String? { tlsInfo?.cipher }
    /// The address of the other end, the proxy's if there is one; nil without a connection.
    public var remoteAddress: String? { remote.isEmpty ? nil : remote.text }
    /// The port of the other end.
    public package(set) var remotePort: Int?
    /// The address of this end.
    public var localAddress: String? { local.isEmpty ? nil : local.text }
    /// The port of this end.
    public package(set) var localPort: Int?
    /// How many redirects were followed.
    public package(set) var redirectCount = 0

    /// libcurl's number of the protocol.
    /// See <https://curl.se/libcurl/c/CURLINFO_HTTP_VERSION.html>.
    var versionNumber = 0
    var tlsInfo: TLSInfo?
    package var remote = AddressText()
    var local = AddressText()

    /// Creates metrics of a transfer that came to nothing.
    package init() {}
}

extension TransferMetrics {
    /// How long looking up the host took.
    public var nameLookup: Duration? {
        isConnectionReused ? nil : Self.span(from: lastRequestStart, to: nameLookupEnd)
    }

    /// How long connecting took, after the look-up.
    public var connect: Duration? {
        isConnectionReused ? nil : Self.span(from: nameLookupEnd, to: connectEnd)
    }

    /// How long the TLS handshake took.
    public var tls: Duration? {
        isConnectionReused ? nil : Self.span(from: connectEnd, to: tlsEnd)
    }

    /// How long it took from the request's start to the first byte of the response.
    public var waiting: Duration? { Self.span(from: requestStart, to: firstByte) }

    /// How long it took from the first byte of the response to the end.
    public var receiving: Duration? { firstByte.flatMap { Self.span(from: $0, to: total) } }

    /// The remote address and port, such as `127.0.0.1:80` or `[::1]:443`.
    public var peer: String? {
        guard let remoteAddress, !remoteAddress.isEmpty else { return nil }
        let host = remoteAddress.utf8.contains(ASCII.colon) ? "[\(remoteAddress)]" : remoteAddress
        return remotePort.map { "\(host):\($0)" } ?? host
    }

    /// libcurl's microseconds; zero stands for a moment that never came.
    package static func moment(_ microseconds: Int64?) -> Duration? {
        guard let microseconds, microseconds > 0 else { return nil }
        return .microseconds(microseconds)
    }

    // Clocks of different phases may be read in either order; a phase is never negative.
    private static func span(from start: Duration?, to end: Duration?) -> Duration? {
        end.map { max(.zero, $0 - (start ?? .zero)) }
    }
}
