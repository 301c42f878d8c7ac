// Failures that this library causes itself, before or while libcurl runs the transfer.

extension TransportError {
    /// The request can't be sent. `reason` says why, without a full stop.
    package static func invalidRequest(_ reason: String, url: String? = nil) -> Self {
        Self(
            .invalidRequest,
            phase: .queued,
            message: located("\(reason)", url: url),
            url: url
        )
    }

    /// The URL can't be fetched.
    ///
    /// `reason` says why, without a full stop, and doesn't quote the URL.
    package static func invalidURL(_ reason: String) -> Self {
        Self(.invalidURL, phase: .queued, message: "the URL can't be used: \(reason).")
    }

    /// The URL's scheme is neither http nor https.
    package static func unsupportedURL(scheme: String, url: String? = nil) -> Self {
        Self(
            .unsupportedURL,
            phase: .queued,
            message: located(
                "the URL's scheme is \(scheme); only http and https can be fetched",
                url: url
            ),
            url: url
        )
    }

    /// There is no URL, or it has no scheme. `reason` says which, without a full stop.
    package static func unsupportedURL(_ reason: String) -> Self {
        Self(.unsupportedURL, phase: .queued, message: "\(reason).")
    }

    /// The caller cancelled the transfer.
    package static let cancelled = Self(
        .cancelled,
        phase: .done,
        message: "the transfer was cancelled."
    )

    /// The transport was shut down, before the transfer or while it ran.
    package static let shutdown = Self(
        .shutdown,
        phase: .done,
        message: "the transport was shut down. Create another one."
    )

    /// The body had to be sent again, but can't be.
    ///
    /// The reason is a redirect or an authentication round.
    package static let bodyNotReplayable = Self(
        .bodyNotReplayable,
        phase: .sending,
        message: "the request body had to be sent again, and its source gives it only once. "
            + "Use bytes, a file, or a stream that can be created again."
    )

    /// libcurl was about to send the request again, which isn't allowed.
    static let unanswered = Self(
        .unanswered,
        phase: .waiting,
        message: "a reused connection ended without an answer, and the request can't be sent again."
    )

    /// There were more than `limit` redirects.
    package static func tooManyRedirects(limit: Int, url: String? = nil) -> Self {
        Self(
            .tooManyRedirects,
            phase: .done,
            message: located("there were more than \(limit) redirects", url: url)
                + " Raise the limit, or look for a loop.",
            url: url
        )
    }

    /// The redirect must not be followed. `reason` says why, without a full stop.
    package static func redirectForbidden(_ reason: String, url: String? = nil) -> Self {
        Self(
            .redirectForbidden,
            phase: .done,
            message: located("the redirect was not followed: \(reason)", url: url),
            url: url
        )
    }

    /// The response body has more than `limit` bytes.
    package static func responseTooLarge(limit: Int64, url: String? = nil) -> Self {
        Self(
            .responseTooLarge,
            phase: .receiving,
            message: located("the response body has more than \(limit) bytes", url: url)
                + " Raise the limit, or stream the body.",
            url: url
        )
    }

    /// The decompressed body exceeds the decompression limit.
    package static func decompressionLimitExceeded(_ limit: DecompressionLimit, url: String? = nil)
        -> Self
    {
        Self(
            .responseTooLarge,
            phase: .decoding,
            message: located(
                "the compressed response body has expanded to more than \(limit.bytes) bytes, and "
                    + "more than \(limit.ratio) times what was sent",
                url: url
            ) + " Set another decompressionLimit if that is to be expected.",
            url: url
        )
    }

    /// The response head exceeds a limit. `reason` says which, without a full stop.
    package static func responseHeadTooLarge(_ reason: String) -> Self {
        Self(.responseHeadTooLarge, phase: .receiving, message: "\(reason).")
    }

    /// libcurl has answered `limit` challenges of a server or proxy, and got another one.
    static func tooManyChallenges(limit: Int) -> Self {
        Self(
            .authenticationFailed,
            phase: .receiving,
            message: "the server or proxy has refused the credentials more than \(limit) times. "
                + "Check user name, password and kind of authentication."
        )
    }

    /// The server's response is not valid HTTP. `reason` says why, without a full stop.
    package static func invalidResponse(_ reason: String, url: String? = nil) -> Self {
        Self(
            .invalidResponse,
            phase: .receiving,
            message: located(reason, url: url),
            url: url
        )
    }

    /// The source of the request body failed.
    ///
    /// `reason` says how, without a full stop. `underlying` is the error that the program's code
    /// threw.
    package static func requestBodyFailed(
        _ reason: String,
        systemErrno: Int32? = nil,
        underlying: (any Error)? = nil
    ) -> Self {
        Self(
            .requestBodyFailed,
            phase: .sending,
            message: "the request body couldn't be read: \(reason).",
            systemErrno: systemErrno,
            underlying: underlying
        )
    }

    /// The downloaded file couldn't be written. `reason` says how, without a full stop.
    package static func fileWriteFailed(_ reason: String, systemErrno: Int32? = nil) -> Self {
        Self(
            .fileWriteFailed,
            phase: .receiving,
            message: "the file couldn't be written: \(reason).",
            systemErrno: systemErrno
        )
    }

    /// An option can't be used. `reason` says which one and why, without a full stop.
    package static func configuration(_ reason: String, systemErrno: Int32? = nil) -> Self {
        Self(
            .configuration,
            phase: .queued,
            message: "\(reason).",
            systemErrno: systemErrno
        )
    }

    /// The installed libcurl lacks a feature, named by `what`.
    package static func unsupportedFeature(_ what: String) -> Self {
        Self(
            .unsupportedFeature,
            phase: .queued,
            message: "the installed libcurl has no \(what). Install one that was built with it."
        )
    }

    /// The installed libcurl is older than all supported versions.
    static func outdatedLibrary(_ version: String) -> Self {
        Self(
            .unsupportedFeature,
            phase: .queued,
            message: "the installed libcurl is \(version), which is too old. Install 7.81 or later."
        )
    }

    /// The caller's trust evaluation rejected the server's certificate.
    package static func trustRefused(url: String? = nil) -> Self {
        Self(
            .trustRefused,
            phase: .tls,
            message: located(
                "the program's trust check refused the server's certificate",
                url: url
            ),
            url: url
        )
    }

    /// Each new connection presents another certificate chain. Nothing was sent.
    static func changingCertificates(limit: Int, url: String) -> Self {
        Self(
            .trustRefused,
            phase: .tls,
            message: located(
                "the server presented a different certificate chain on each of more than \(limit) "
                    + "connections",
                url: url
            ),
            url: url
        )
    }

    /// The server requests a client certificate, and there is none. Nothing was sent.
    ///
    /// The server may continue without one.
    package static func certificateRequested(url: String? = nil) -> Self {
        Self(
            .clientCertificateRequired,
            phase: .tls,
            message: located(
                "the server requests a client certificate, and none is configured",
                url: url
            ),
            url: url
        )
    }

    /// Whether the server has requested a client certificate, and hasn't refused a connection
    /// without one.
    package var isCertificateRequest: Bool {
        code == .clientCertificateRequired && curlCode == nil
    }

    /// A timeout passed. `code` is one of the timeouts, `phase` the phase at that time.
    package static func timedOut(
        _ code: Code,
        after limit: Duration,
        phase: Phase,
        url: String? = nil
    ) -> Self {
        let what =
            switch code {
            case .poolTimeout: "the request waited in the queue and got no connection"
            case .connectTimeout: "no connection was established"
            case .tlsTimeout: "the TLS handshake didn't end"
            case .firstByteTimeout: "the response didn't begin"
            case .idleTimeout: "no byte was transferred"
            default: "the transfer didn't end"
            }
        return Self(
            code,
            phase: phase,
            message: located("\(what) within \(limit)", url: url),
            url: url
        )
    }

    /// A timeout of an attempt passed.
    ///
    /// - Parameters:
    ///   - limit: The timeout that passed.
    ///   - phase: The phase at that time; by default the phase of `context`.
    ///   - context: The facts about the attempt; nil if none is running.
    ///   - url: The URL for the message.
    static func timedOut(
        _ code: Code,
        after limit: Duration?,
        phase: Phase? = nil,
        context: FailureContext?,
        url: String
    ) -> Self {
        let phase = phase ?? context?.phase ?? .queued
        var error = timedOut(
            code == .connectTimeout && phase == .tls ? .tlsTimeout : code,
            after: limit ?? .zero,
            phase: phase,
            url: url
        )
        error.peer = context?.connectedPeer
        error.bytesSent = context?.bytesSent ?? 0
        error.bytesReceived = context?.bytesReceived ?? 0
        return error
    }

    private static func located(_ reason: String, url: String?) -> String {
        guard let url else { return "\(reason)." }
        return "\(reason) (\(Redaction.url(url)))."
    }
}
