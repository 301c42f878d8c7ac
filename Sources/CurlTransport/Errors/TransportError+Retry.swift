extension TransportError {
    /// Whether the same request may be sent again.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Retry: Sendable, Hashable {
        /// A retry would fail in the same way, or isn't allowed.
        case never
        /// The server may have acted on the request.
        ///
        /// Retry it only if its method is idempotent (RFC 9110, section 9.2.2), or if you know that
        /// a repetition does no harm.
        case idempotentOnly
        /// The server didn't act on the request: any request may be retried.
        case always
    }
}

extension TransportError.Code {
    /// The default for the code, if no more facts are known.
    var usualRetry: TransportError.Retry {
        switch value {
        case .queueFull, .poolTimeout, .circuitOpen, .connectTimeout, .tlsTimeout, .hostNotFound,
            .proxyNotFound,
            .connectRefused, .connectFailed, .networkUnreachable, .noLocalPort, .proxyFailed,
            .tlsHandshakeFailed:
            .always
        case .firstByteTimeout, .idleTimeout, .deadlineExceeded, .connectionLost, .emptyReply,
            .unanswered, .truncatedResponse, .http2Connection, .streamReset, .http3:
            .idempotentOnly
        case .cancelled, .shutdown, .invalidRequest, .invalidURL, .unsupportedURL,
            .unsupportedFeature, .configuration, .requestBodyFailed, .bodyNotReplayable,
            .fileWriteFailed, .addressRefused, .bindFailed, .proxyRefused, .tlsConfiguration,
            .clientCertificate,
            .clientCertificateRequired, .certificateExpired, .certificateNotYetValid,
            .certificateUntrusted, .certificateRevoked, .certificateHostname,
            .certificateStatus, .pinMismatch, .trustRefused, .invalidResponse,
            .responseHeadTooLarge, .responseTooLarge, .decodingFailed, .rangeNotSupported,
            .authenticationFailed, .tooManyRedirects, .redirectForbidden, .resourceExhausted,
            .internal, .unknown:
            .never
        }
    }
}
