extension TransportError {
    /// Whether the same request may be sent again.
    public enum Retry: Sendable, Hashable {
        /// Another attempt would fail the same way, or must not be made.
        case never
        /// The server may have acted on the request: only if its method is idempotent
        /// (RFC 9110, section 9.2.2), or the caller knows better.
        case idempotentOnly
        /// No byte of the request was acted upon: any request may be sent again.
        case always
    }
}

extension TransportError.Code {
    /// What holds for the code where nothing more is known.
    var usualRetry: TransportError.Retry {
        switch value {
        case .poolTimeout, .connectTimeout, .tlsTimeout, .hostNotFound, .proxyNotFound,
            .connectRefused, .connectFailed, .networkUnreachable, .noLocalPort, .proxyFailed,
            .tlsHandshakeFailed:
            .always
        case .firstByteTimeout, .idleTimeout, .deadlineExceeded, .connectionLost, .emptyReply,
            .unanswered, .truncatedResponse, .http2Connection, .streamReset, .http3:
            .idempotentOnly
        case .cancelled, .shutdown, .invalidRequest, .invalidURL, .unsupportedURL,
            .unsupportedFeature, .configuration, .requestBodyFailed, .bodyNotReplayable,
            .fileWriteFailed, .bindFailed, .proxyRefused, .tlsConfiguration, .clientCertificate,
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
