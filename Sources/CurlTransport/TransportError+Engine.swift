internal import Curl

// What the loop itself has to report.

extension TransportError {
    /// The system, or libcurl, has no more to give.
    static func resourceExhausted(_ reason: String) -> Self {
        Self(.resourceExhausted, phase: .queued, message: "\(reason).")
    }

    /// The kernel refused to tell when the transfer's socket is ready.
    static func unwatched(_ failure: SystemFailure) -> Self {
        var error = resourceExhausted(
            "the system can't watch another socket: \(failure). Use fewer connections at once, or "
                + "raise fs.epoll.max_user_watches"
        )
        error.phase = .tcp
        error.systemErrno = failure.errno
        return error
    }

    /// libcurl's multi handle failed, and every transfer in it with it.
    static func engineFailed(_ code: MultiCode) -> Self {
        Self(
            .internal,
            phase: .queued,
            message: "libcurl's multi handle failed: \(code). The transfer can be tried again.",
            retry: .idempotentOnly
        )
    }

    /// This error, with the URL that it is about where it doesn't name one yet.
    func about(_ url: String) -> Self {
        guard self.url == nil else { return self }
        var error = self
        error.url = url
        return error
    }
}
