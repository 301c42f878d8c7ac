internal import Curl
internal import HTTPSemantics
internal import Posix

/// The measurements of a transfer: phase durations, sizes and the connection.
///
/// Times are measured in microseconds from the start of the transfer, without the time in the
/// queue, which is ``queue``. A phase that wasn't reached, or that a reused connection didn't need,
/// is nil. For a transfer with redirects, the times are those of the last request; earlier requests
/// are before ``lastRequestStart``. See <https://curl.se/libcurl/c/curl_easy_getinfo.html>,
/// "Times".
public struct TransferMetrics: Sendable, Hashable {
    /// A reference, so that passing metrics around copies nothing.
    private let storage: Storage

    private final class Storage: Sendable {
        let measurements: TransferMeasurements

        init(_ measurements: TransferMeasurements) {
            self.measurements = measurements
        }
    }

    private static let none = Storage(TransferMeasurements())

    /// Creates the metrics of a transfer that never started.
    public init() {
        storage = Self.none
    }

    package init(_ measurements: TransferMeasurements) {
        storage = Storage(measurements)
    }

    private var measurements: TransferMeasurements { storage.measurements }

    /// Whether all values are equal.
    public static func == (lhs: TransferMetrics, rhs: TransferMetrics) -> Bool {
        lhs.storage === rhs.storage || lhs.measurements == rhs.measurements
    }

    /// Hashes all values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(measurements)
    }
}

extension TransferMetrics {
    // MARK: Times, from the start of the request

    /// The time in the queue before the transfer started.
    public var queue: Duration { .nanoseconds(measurements.queue) }

    /// The time until the last request could start.
    ///
    /// Above zero after redirects or other attempts.
    public var lastRequestStart: Duration { .nanoseconds(measurements.lastRequestStart) }

    /// The time until the host's addresses were resolved.
    public var nameLookupEnd: Duration? { measurements.nameLookupEnd.map { .nanoseconds($0) } }

    /// The time until the connection to the server or proxy was established.
    public var connectEnd: Duration? { measurements.connectEnd.map { .nanoseconds($0) } }

    /// The time until the TLS handshake was complete.
    public var tlsEnd: Duration? { measurements.tlsEnd.map { .nanoseconds($0) } }

    /// The time until the request could be sent.
    public var requestStart: Duration? { measurements.requestStart.map { .nanoseconds($0) } }

    /// The time until the first byte of the response was received.
    public var firstByte: Duration? { measurements.firstByte.map { .nanoseconds($0) } }

    /// The time until the transfer completed, without ``queue``.
    public var total: Duration { .nanoseconds(measurements.total) }

    // MARK: Sizes, in bytes

    /// The size of the request as sent: head and body.
    public var requestBytes: Int64 { measurements.requestBytes }

    /// The size of the response as received: heads, and the body before decompression.
    public var responseBytes: Int64 { measurements.responseBytes }

    /// The size of the heads in ``responseBytes``.
    ///
    /// It includes informational heads, those of redirects, and trailers.
    public var responseHeadBytes: Int64 { Int64(measurements.responseHeadBytes) }

    /// The size of the response body after decompression.
    public var bodyBytes: Int64 { measurements.bodyBytes }

    // MARK: The connection

    /// Whether the request reused a connection that the transfer hadn't opened itself.
    public var isConnectionReused: Bool { measurements.isConnectionReused }

    /// The HTTP version: `1.0`, `1.1`, `2` or `3`; nil before a response was received.
    public var httpVersion: String? {
        switch measurements.httpVersion {
        case 1: "1.0"
        case 2: "1.1"
        case 3: "2"
        case 30: "3"
        default: nil
        }
    }

    /// The version of TLS, such as `TLSv1.3`; nil without TLS, or if unknown.
    public var tlsVersion: String? { measurements.connection?.tls?.version }

    /// The name of the TLS cipher; nil without TLS, or if unknown.
    public var tlsCipher: String? {
        measurements.connection?.tls.flatMap { $0.cipher.isEmpty ? nil : $0.cipher }
    }

    /// The address of the server, or of the proxy if there is one; nil without a connection.
    public var remoteAddress: String? {
        measurements.connection.flatMap { $0.remoteAddress.isEmpty ? nil : $0.remoteAddress.text }
    }

    /// The port of the server or proxy.
    public var remotePort: Int? { measurements.connection?.remotePort }

    /// The local address.
    public var localAddress: String? {
        measurements.connection.flatMap { $0.localAddress.isEmpty ? nil : $0.localAddress.text }
    }

    /// The local port.
    public var localPort: Int? { measurements.connection?.localPort }

    /// The number of redirects that were followed.
    public var redirectCount: Int { Int(measurements.redirectCount) }
}

extension TransferMetrics {
    /// The duration of the name lookup.
    public var nameLookup: Duration? {
        isConnectionReused ? nil : Self.span(from: lastRequestStart, to: nameLookupEnd)
    }

    /// The duration of connecting, after the name lookup.
    public var connect: Duration? {
        isConnectionReused ? nil : Self.span(from: nameLookupEnd, to: connectEnd)
    }

    /// The duration of the TLS handshake.
    public var tls: Duration? {
        isConnectionReused ? nil : Self.span(from: connectEnd, to: tlsEnd)
    }

    /// The duration from the request's start to the response's first byte.
    public var waiting: Duration? { Self.span(from: requestStart, to: firstByte) }

    /// The duration from the first byte of the response to the end.
    public var receiving: Duration? { firstByte.flatMap { Self.span(from: $0, to: total) } }

    /// The remote address and port, such as `127.0.0.1:80` or `[::1]:443`.
    public var peer: String? {
        guard let remoteAddress, !remoteAddress.isEmpty else { return nil }
        let host = remoteAddress.utf8.contains(ASCII.colon) ? "[\(remoteAddress)]" : remoteAddress
        return remotePort.map { "\(host):\($0)" } ?? host
    }

    // The clocks of different phases may be read in either order, but a duration is never negative.
    private static func span(from start: Duration?, to end: Duration?) -> Duration? {
        end.map { max(.zero, $0 - (start ?? .zero)) }
    }
}
