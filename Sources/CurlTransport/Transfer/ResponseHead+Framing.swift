// What the loop reads from a head.

extension ResponseHead {
    /// Whether several transfers can share the connection.
    var isMultiplexed: Bool {
        // The first digit of the version: `HTTP/2 200`, or `HTTP/1.1 200`.
        bytes.count > 5 && bytes[5] >= UInt8(ascii: "2")
    }

    /// Whether a response of this status has a body at all (RFC 9110 section 6.4.1).
    var mayHaveBody: Bool {
        statusCode >= 200 && statusCode != 204 && statusCode != 304
    }
}
