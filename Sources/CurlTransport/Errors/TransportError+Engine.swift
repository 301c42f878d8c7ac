internal import Curl
internal import Posix

// Errors that the loop itself reports.

extension TransportError {
    /// The queue is full: `limit` transfers wait.
    static func queueFull(limit: Int) -> Self {
        Self(
            .queueFull,
            phase: .queued,
            message: "no connection is free, and \(limit) transfers wait already, as many as "
                + "maximumQueued allows. Send fewer requests at once, or raise maximumQueued or the "
                + "limits of connections."
        )
    }

    /// The request's deadline passed before its start.
    static func deadlinePassed(_ url: String?) -> Self {
        let url = url.map(Redaction.url)
        var error = Self(
            .deadlineExceeded,
            phase: .queued,
            message: "the request's deadline had passed before it was sent"
                + (url.map { " (\($0))." } ?? "."),
            url: url
        )
        error.retry = .always
        return error
    }

    /// The system or libcurl has no resources left.
    static func resourceExhausted(_ reason: String) -> Self {
        Self(.resourceExhausted, phase: .queued, message: "\(reason).")
    }

    /// The kernel refused to watch the transfer's socket.
    static func unwatched(_ failure: SystemFailure) -> Self {
        var error = resourceExhausted(
            "the system can't watch another socket: \(failure). Use fewer connections at once, or "
                + "raise fs.epoll.max_user_watches"
        )
        error.phase = .tcp
        error.systemErrno = failure.errno
        return error
    }

    /// libcurl's multi handle failed, and so did all its transfers.
    static func engineFailed(_ code: MultiCode) -> Self {
        Self(
            .internal,
            phase: .queued,
            message: "libcurl's multi handle failed: \(code). Retry the transfer.",
            retry: .idempotentOnly
        )
    }

    /// This error with `url`, unless it already has a URL.
    func about(_ url: String) -> Self {
        guard self.url == nil else { return self }
        var error = self
        error.url = url
        return error
    }
}
