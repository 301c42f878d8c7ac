internal import Curl

/// How a transfer went: how long each phase took, how much was moved, and over which connection.
///
/// Times are measured to the microsecond from the moment the transfer is started, without the time
/// spent waiting for a place, which is ``queue``. What wasn't reached, or wasn't needed since a
/// connection was re-used, is nil. Of a transfer with redirects, the times are those of the last
/// request, and those before it lie ahead of ``lastRequestStart``.
/// See <https://curl.se/libcurl/c/curl_easy_getinfo.html>, "Times".
public struct TransferMetrics: Sendable, Hashable {
    /// Kept apart, so that handing metrics around copies nothing.
    private let storage: Storage

    private final class Storage: Sendable {
        let facts: TransferFacts

        init(_ facts: TransferFacts) {
            self.facts = facts
        }
    }

    private static let none = Storage(TransferFacts())

    /// Creates metrics of a transfer that came to nothing.
    package init() {
        storage = Self.none
    }

    package init(_ facts: TransferFacts) {
        storage = Storage(facts)
    }

    private var facts: TransferFacts { storage.facts }

    /// Whether both say the same.
    public static func == (lhs: TransferMetrics, rhs: TransferMetrics) -> Bool {
        lhs.storage === rhs.storage || lhs.facts == rhs.facts
    }

    /// Hashes all that the metrics say.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(facts)
    }
}

extension TransferMetrics {
    // MARK: Moments, from the start of the request

    /// The time spent waiting for a place before the transfer began.
    public var queue: Duration { .nanoseconds(facts.queue) }

    /// Until the last request could begin: more than zero where redirects or other attempts went
    /// before it.
    public var lastRequestStart: Duration { .nanoseconds(facts.lastRequestStart) }

    /// Until the host's addresses were known.
    public var nameLookupEnd: Duration? { facts.nameLookupEnd.map { .nanoseconds($0) } }

    /// Until the connection stood, to the server or to the proxy.
    public var connectEnd: Duration? { facts.connectEnd.map { .nanoseconds($0) } }

    /// Until the TLS handshake was done.
    public var tlsEnd: Duration? { facts.tlsEnd.map { .nanoseconds($0) } }

    /// Until all was ready to send the request.
    public var requestStart: Duration? { facts.requestStart.map { .nanoseconds($0) } }

    /// Until the first byte of the response was there.
    public var firstByte: Duration? { facts.firstByte.map { .nanoseconds($0) } }

    /// Until the transfer was over, ``queue`` not included.
    public var total: Duration { .nanoseconds(facts.total) }

    // MARK: Amounts, in bytes

    /// The request as it was sent: head and body.
    public var requestBytes: Int64 { facts.requestBytes }

    /// The response as it was received: heads, and the body before decompression.
    public var responseBytes: Int64 { facts.responseBytes }

    /// The heads within ``responseBytes``, with informational ones, those of redirects and trailers.
    public var responseHeadBytes: Int64 { Int64(facts.responseHeadBytes) }

    /// The response body after decompression.
    public var bodyBytes: Int64 { facts.bodyBytes }

    // MARK: The connection

    /// Whether the request went over a connection that another one had opened.
    public var isConnectionReused: Bool { facts.isConnectionReused }

    /// The protocol that was spoken: `1.0`, `1.1`, `2` or `3`; nil before a response came.
    public var httpVersion: String? {
        switch facts.httpVersion {
        case 1: "1.0"
        case 2: "1.1"
        case 3: "2"
        case 30: "3"
        default: nil
        }
    }

    /// The version of TLS, such as `TLSv1.3`; nil without TLS, or where it isn't known.
    public var tlsVersion: String? { facts.connection?.tls?.version }

    /// The name of the TLS cipher; nil without TLS, or where it isn't known.
    public var tlsCipher: String? { facts.connection?.tls?.cipher }

    /// The address of the other end, the proxy's if there is one; nil without a connection.
    public var remoteAddress: String? {
        facts.connection.flatMap { $0.remoteAddress.isEmpty ? nil : $0.remoteAddress.text }
    }

    /// The port of the other end.
    public var remotePort: Int? { facts.connection?.remotePort }

    /// The address of this end.
    public var localAddress: String? {
        facts.connection.flatMap { $0.localAddress.isEmpty ? nil : $0.localAddress.text }
    }

    /// The port of this end.
    public var localPort: Int? { facts.connection?.localPort }

    /// How many redirects were followed.
    public var redirectCount: Int { Int(facts.redirectCount) }
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

    // Clocks of different phases may be read in either order; a phase is never negative.
    private static func span(from start: Duration?, to end: Duration?) -> Duration? {
        end.map { max(.zero, $0 - (start ?? .zero)) }
    }
}
