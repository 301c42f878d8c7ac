package import Curl

/// What ``TransferMetrics`` tells, as a loop notes it: moments in nanoseconds, addresses in place.
package struct TransferFacts: Sendable, Hashable {
    package var queue: Int64 = 0
    package var lastRequestStart: Int64 = 0
    package var nameLookupEnd: Int64?
    package var connectEnd: Int64?
    package var tlsEnd: Int64?
    package var requestStart: Int64?
    package var firstByte: Int64?
    package var total: Int64 = 0

    package var requestBytes: Int64 = 0
    package var responseBytes: Int64 = 0
    package var bodyBytes: Int64 = 0

    package var isConnectionReused = false
    /// libcurl's number of the protocol.
    /// See <https://curl.se/libcurl/c/CURLINFO_HTTP_VERSION.html>.
    package var httpVersion = 0
    package var tls: TLSInfo?
    package var remoteAddress = AddressText()
    package var remotePort: Int?
    package var localAddress = AddressText()
    package var localPort: Int?
    package var redirectCount = 0

    /// Of a transfer that came to nothing.
    package init() {}
}
