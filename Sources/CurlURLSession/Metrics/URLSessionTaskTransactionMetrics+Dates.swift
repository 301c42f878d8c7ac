internal import CurlTransport
public import Foundation

extension URLSessionTaskTransactionMetrics {
    /// When the fetch began. It includes the wait for a connection or the cache.
    public var fetchStartDate: Date? { content.fetchStart }

    /// When the host name lookup began.
    public var domainLookupStartDate: Date? { content.domainLookupStart }

    /// When the host's addresses were known.
    public var domainLookupEndDate: Date? { content.made(\.nameLookupEnd) }

    /// When the connection attempt to the server or proxy began.
    public var connectStartDate: Date? { content.made(\.nameLookupEnd) }

    /// When the TLS handshake began; `nil` without TLS.
    public var secureConnectionStartDate: Date? {
        content.isSecure ? content.made(\.connectEnd) : nil
    }

    /// When the TLS handshake ended; `nil` without TLS.
    public var secureConnectionEndDate: Date? {
        content.isSecure ? content.made(\.tlsEnd) : nil
    }

    /// When the connection was ready, including TLS.
    public var connectEndDate: Date? {
        content.made(content.isSecure ? \.tlsEnd : \.connectEnd)
    }

    /// When sending the request began.
    public var requestStartDate: Date? { content.date(\.requestStart) }

    /// When the request had been sent.
    public var requestEndDate: Date? { content.requestEnd }

    /// When the first byte of the response arrived.
    public var responseStartDate: Date? { content.date(\.firstByte) }

    /// When the last byte of the response arrived, or the transaction ended.
    public var responseEndDate: Date? { content.responseEnd }
}

extension URLSessionTaskTransactionMetrics.Content {
    var isSecure: Bool { request.url?.scheme?.lowercased() == "https" }

    /// Converts a duration to a date. The transport's clock starts when the transfer leaves the
    /// queue.
    private func date(after duration: Duration) -> Date {
        let (seconds, attoseconds) = ((metrics?.queue ?? .zero) + duration).components
        return started.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    func date(_ moment: KeyPath<TransferMetrics, Duration?>) -> Date? {
        metrics?[keyPath: moment].map { date(after: $0) }
    }

    /// Returns a date of the connection's setup; `nil` for a reused connection.
    func made(_ moment: KeyPath<TransferMetrics, Duration?>) -> Date? {
        metrics?.isConnectionReused == true ? nil : date(moment)
    }

    /// The time before a redirect belongs to another transaction.
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
        // The time wasn't recorded: a head is sent at once, a body before the response arrives.
        return details.bodyBytes == 0 ? start : date(\.firstByte)
    }

    var responseEnd: Date? {
        guard let metrics, metrics.firstByte != nil else { return nil }
        return date(after: metrics.total)
    }

    /// All dates in the order of the load, for a description.
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
