extension TransportError {
    /// The phase that a transfer had reached when it failed.
    ///
    /// Later versions may add phases, so a `switch` needs a `default`. The description is the name.
    /// It never changes.
    public struct Phase: Sendable, Hashable, CustomStringConvertible {
        enum Value: String, Sendable, CaseIterable {
            case queued
            case dns
            case tcp
            case proxy
            case tls
            case sending
            case waiting
            case receiving
            case decoding
            case done
        }

        let value: Value

        private init(_ value: Value) {
            self.value = value
        }

        /// Creates a phase from its ``description``; nil if no phase has this name.
        public init?(named name: String) {
            guard let value = Value(rawValue: name) else { return nil }
            self.value = value
        }

        /// The name, such as `tls`.
        public var description: String { value.rawValue }

        /// Before any attempt: being checked, or waiting in the queue.
        public static let queued = Self(.queued)
        /// Looking up the host's addresses.
        public static let dns = Self(.dns)
        /// Establishing the TCP or QUIC connection.
        public static let tcp = Self(.tcp)
        /// Establishing the tunnel through the proxy.
        public static let proxy = Self(.proxy)
        /// In the TLS handshake.
        public static let tls = Self(.tls)
        /// Sending the request.
        public static let sending = Self(.sending)
        /// Waiting for the first byte of the response.
        public static let waiting = Self(.waiting)
        /// Receiving the response.
        public static let receiving = Self(.receiving)
        /// Decompressing the response body.
        public static let decoding = Self(.decoding)
        /// After the response had been received.
        public static let done = Self(.done)
    }
}

extension TransportError.Code {
    /// The phase in which a failure of this kind usually happens.
    var usualPhase: TransportError.Phase {
        switch value {
        case .invalidRequest, .invalidURL, .unsupportedURL, .unsupportedFeature, .configuration,
            .queueFull, .poolTimeout, .circuitOpen, .resourceExhausted, .tlsConfiguration,
            .clientCertificate:
            .queued
        case .hostNotFound, .proxyNotFound:
            .dns
        case .connectTimeout, .connectRefused, .connectFailed, .networkUnreachable,
            .addressRefused, .noLocalPort, .bindFailed:
            .tcp
        case .proxyFailed, .proxyRefused:
            .proxy
        case .tlsTimeout, .tlsHandshakeFailed, .clientCertificateRequired, .certificateExpired,
            .certificateNotYetValid, .certificateUntrusted, .certificateRevoked,
            .certificateHostname, .certificateStatus, .pinMismatch, .trustRefused:
            .tls
        case .requestBodyFailed, .bodyNotReplayable:
            .sending
        case .firstByteTimeout, .emptyReply, .unanswered:
            .waiting
        case .idleTimeout, .deadlineExceeded, .connectionLost, .truncatedResponse,
            .invalidResponse, .responseHeadTooLarge, .responseTooLarge, .http2Connection,
            .streamReset, .http3, .rangeNotSupported, .authenticationFailed, .fileWriteFailed:
            .receiving
        case .decodingFailed:
            .decoding
        case .cancelled, .shutdown, .tooManyRedirects, .redirectForbidden, .internal, .unknown:
            .done
        }
    }
}
