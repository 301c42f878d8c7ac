// What the loop reads from a head.

extension ResponseHead {
    /// Whether several transfers can share the connection.
    var isMultiplexed: Bool {
        httpVersion == "2" || httpVersion == "3"
    }

    /// Whether a response of this status has a body at all (RFC 9110 section 6.4.1).
    var mayHaveBody: Bool {
        statusCode >= 200 && statusCode != 204 && statusCode != 304
    }
}
