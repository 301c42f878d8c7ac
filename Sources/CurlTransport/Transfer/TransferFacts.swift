/// What ``TransferMetrics`` tells, as a loop notes it: moments in nanoseconds.
///
/// No more than 104 bytes: that much, in an object, glibc takes back from another thread without a
/// lock.
package struct TransferFacts: Sendable, Hashable {
    package var queue: Int64 = 0
    package var lastRequestStart: Int64 = 0
    @Moment package var nameLookupEnd: Int64? = nil
    @Moment package var connectEnd: Int64? = nil
    @Moment package var tlsEnd: Int64? = nil
    @Moment package var requestStart: Int64? = nil
    @Moment package var firstByte: Int64? = nil
    package var total: Int64 = 0

    package var requestBytes: Int64 = 0
    package var responseBytes: Int64 = 0
    package var bodyBytes: Int64 = 0

    package var connection: ConnectionFacts?
    package var isConnectionReused = false
    /// libcurl's number of the protocol.
    /// See <https://curl.se/libcurl/c/CURLINFO_HTTP_VERSION.html>.
    package var httpVersion: Int8 = 0
    package var redirectCount: UInt16 = 0
    /// How much of the response was heads.
    package var responseHeadBytes: UInt32 = 0

    /// Of a transfer that came to nothing.
    package init() {}
}
