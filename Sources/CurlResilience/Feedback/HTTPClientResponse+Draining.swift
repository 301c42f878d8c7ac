internal import CurlTransport

extension HTTPClientResponse {
    /// The length in bytes up to which a body is read.
    private static let drainedBytes = 65_536

    /// Ends a response before its request is sent again.
    ///
    /// A short body is read, so that its connection can be used again. A longer one is cancelled:
    /// while it lasts, the response has a connection and a place that the next request may wait for.
    func drain() async {
        _ = try? await body.collect(upTo: Self.drainedBytes)
    }
}
