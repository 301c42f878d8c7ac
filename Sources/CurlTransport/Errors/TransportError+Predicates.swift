extension TransportError {
    /// Whether a timeout or deadline passed.
    ///
    /// ``code-swift.property`` and ``phase-swift.property`` tell which.
    public var isTimeout: Bool {
        switch code.value {
        case .poolTimeout, .connectTimeout, .tlsTimeout, .firstByteTimeout, .idleTimeout,
            .deadlineExceeded:
            true
        default: false
        }
    }

    /// Whether the server couldn't be reached, or the connection to it was lost.
    public var isConnectivity: Bool {
        switch code.value {
        case .hostNotFound, .connectRefused, .connectFailed, .connectTimeout,
            .networkUnreachable, .noLocalPort, .bindFailed, .proxyNotFound, .proxyFailed,
            .connectionLost, .emptyReply, .unanswered, .truncatedResponse:
            true
        default: false
        }
    }

    /// Whether TLS, a certificate or its verification failed.
    public var isTLS: Bool {
        switch code.value {
        case .tlsTimeout, .tlsHandshakeFailed, .tlsConfiguration, .clientCertificate,
            .clientCertificateRequired, .certificateExpired, .certificateNotYetValid,
            .certificateUntrusted, .certificateRevoked, .certificateHostname,
            .certificateStatus, .pinMismatch, .trustRefused:
            true
        default: false
        }
    }

    /// Whether this side ended the transfer: it was cancelled, or the transport was shut down.
    public var isCancelled: Bool {
        code == .cancelled || code == .shutdown
    }

    /// Whether a retry makes sense; ``retry-swift.property`` tells for which requests.
    public var isRetryable: Bool { retry != .never }
}
