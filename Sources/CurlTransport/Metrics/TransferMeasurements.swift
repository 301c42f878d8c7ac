/// The values of ``TransferMetrics`` as a loop records them. Times are in nanoseconds.
///
/// At most 104 bytes: glibc frees an object of that size from another thread without a lock.
package struct TransferMeasurements: Sendable, Hashable {
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

    package var connection: ConnectionInfo?
    package var isConnectionReused = false
    /// libcurl's number of the HTTP version.
    ///
    /// See <https://curl.se/libcurl/c/CURLINFO_HTTP_VERSION.html>.
    package var httpVersion: Int8 = 0
    package var redirectCount: UInt16 = 0
    /// The size of all response heads.
    package var responseHeadBytes: UInt32 = 0

    /// Creates the measurements of a transfer that never started.
    package init() {}
}

/// An optional time in nanoseconds, in the size of the number.
@propertyWrapper
package struct Moment: Sendable, Hashable {
    private var nanoseconds: Int64

    /// Negative times don't occur, so -1 represents nil.
    package init(wrappedValue: Int64?) {
        nanoseconds = max(-1, wrappedValue ?? -1)
    }

    package var wrappedValue: Int64? {
        get { nanoseconds < 0 ? nil : nanoseconds }
        set { self = Moment(wrappedValue: newValue) }
    }
}
