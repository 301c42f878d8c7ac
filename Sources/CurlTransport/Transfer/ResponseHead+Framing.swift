internal import HTTPTypes

// What the loop reads from a head.

extension ResponseHead {
    /// The length announced for the body; nil where there is none, or none that is a number.
    var contentLength: Int64? {
        firstValue(of: .contentLength).flatMap { Int64($0) }
    }

    /// Whether several transfers can share the connection.
    var isMultiplexed: Bool {
        httpVersion == "2" || httpVersion == "3"
    }

    /// Whether a response of this status has a body at all (RFC 9110 section 6.4.1).
    var mayHaveBody: Bool {
        statusCode >= 200 && statusCode != 204 && statusCode != 304
    }
}

extension ResponseHeadParser {
    init(_ limits: ResponseHeadLimits) {
        self.init(
            maximumFieldCount: limits.maximumFieldCount,
            maximumBytes: limits.maximumBytes
        )
    }
}
