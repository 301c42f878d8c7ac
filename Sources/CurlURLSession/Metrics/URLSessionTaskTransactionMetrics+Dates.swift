internal import CurlTransport
public import Foundation

extension URLSessionTaskTransactionMetrics {
    /// When the request was begun with, be it with waiting for a connection or asking the cache.
    public var fetchStartDate: Date? { content.fetchStart }

    /// When the look-up of the host's name began.
    public var domainLookupStartDate: Date? { content.domainLookupStart }

    /// When the host's addresses were known.
    public var domainLookupEndDate: Date? { content.made(\.nameLookupEnd) }

    /// When connecting began, to the server or the proxy.
    public var connectStartDate: Date? { content.made(\.nameLookupEnd) }

    /// When the TLS handshake began; `nil` without TLS.
    public var secureConnectionStartDate: Date? {
        content.isSecure ? content.made(\.connectEnd) : nil
    }

    /// When the TLS handshake was done; `nil` without TLS.
    public var secureConnectionEndDate: Date? {
        content.isSecure ? content.made(\.tlsEnd) : nil
    }

    /// When the connection could be used, TLS included.
    public var connectEndDate: Date? {
        content.made(content.isSecure ? \.tlsEnd : \.connectEnd)
    }

    /// When sending the request began.
    public var requestStartDate: Date? { content.date(\.requestStart) }

    /// When the request had been sent.
    public var requestEndDate: Date? { content.requestEnd }

    /// When the first byte of the response was there.
    public var responseStartDate: Date? { content.date(\.firstByte) }

    /// When the last byte of the response was there, or the transaction ended before it.
    public var responseEndDate: Date? { content.responseEnd }
}

extension URLSessionTaskTransactionMetrics.Content {
    var isSecure: Bool { request.url?.scheme?.lowercased() == "https" }

    /// The engine's clock begins to count when the transfer has got its place.
    private func date(after duration: Duration) -> Date {
        let (seconds, attoseconds) = ((metrics?.queue ?? .zero) + duration).components
        return started.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    func date(_ moment: KeyPath<TransferMetrics, Duration?>) -> Date? {
        metrics?[keyPath: moment].map { date(after: $0) }
    }

    /// A moment in the making of a connection.
    func made(_ moment: KeyPath<TransferMetrics, Duration?>) -> Date? {
        metrics?.isConnectionReused == true ? nil : date(moment)
    }

    /// What went before a redirect belongs to a transaction of its own.
    var fetchStart: Date {
        guard let start = metrics?.lastRequestStart, start > .zero else { return started }
        return date(after: start)
    }

    var domainLookupStart: Date? {
        guard let metrics, metrics.nameLookupEnd != nil, !metrics.isConnectionReused else {
            return nil
        }
        return date(after: metrics.lastRequestStart)
    }

    var requestEnd: Date? {
        guard let start = date(\.requestStart) else { return nil }
        if let sent = details.requestSent { return max(start, sent) }
        // Nobody noticed: the head leaves at once, a body before the response comes.
        return details.bodyBytes == 0 ? start : date(\.firstByte)
    }

    var responseEnd: Date? {
        guard let metrics, metrics.firstByte != nil else { return nil }
        return date(after: metrics.total)
    }

    /// All dates in the order of the loading, for a description.
    var dates: [(name: String, date: Date?)] {
        [
            ("Fetch Start", fetchStart),
            ("Domain Lookup Start", domainLookupStart),
            ("Domain Lookup End", made(\.nameLookupEnd)),
            ("Connect Start", made(\.nameLookupEnd)),
            ("Secure Connection Start", isSecure ? made(\.connectEnd) : nil),
            ("Secure Connection End", isSecure ? made(\.tlsEnd) : nil),
            ("Connect End", made(isSecure ? \.tlsEnd : \.connectEnd)),
            ("Request Start", date(\.requestStart)),
            ("Request End", requestEnd),
            ("Response Start", date(\.firstByte)),
            ("Response End", responseEnd),
        ]
    }
}
