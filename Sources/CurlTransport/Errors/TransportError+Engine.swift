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

    /// The addresses of `host` aren't allowed.
    ///
    /// - Parameter refused: Each address with the reason, without a full stop; at least one.
    static func addressRefused(_ refused: [String], host: String, url: String) -> Self {
        Self(
            .addressRefused,
            phase: .tcp,
            message: "\(host) was not connected to, because its address is refused: "
                + "\(list(refused)), and only addresses of public servers are allowed "
                + "(\(Redaction.url(url))). If this server is meant, allow other addresses.",
            url: url
        )
    }

    /// The first three of the addresses, and the number of the others.
    static func list(_ refused: [String]) -> String {
        let rest = refused.count - 3
        return refused.prefix(3).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
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
