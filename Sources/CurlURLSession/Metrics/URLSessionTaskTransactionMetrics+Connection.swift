internal import CurlTransport

extension URLSessionTaskTransactionMetrics {
    /// The ALPN name of the protocol: `http/1.0`, `http/1.1`, `h2` or `h3`.
    public var networkProtocolName: String? {
        switch content.metrics?.httpVersion {
        case "1.0": "http/1.0"
        case "1.1": "http/1.1"
        case "2": "h2"
        case "3": "h3"
        default: nil
        }
    }

    /// The remote IP address: the proxy's if the connection goes through one.
    public var remoteAddress: String? { content.metrics?.remoteAddress }

    /// The remote port, in decimal.
    public var remotePort: String? { content.metrics?.remotePort.map { "\($0)" } }

    /// The local IP address.
    public var localAddress: String? { content.metrics?.localAddress }

    /// The local port, in decimal.
    public var localPort: String? { content.metrics?.localPort.map { "\($0)" } }

    /// The TLS cipher suite. `nil` without TLS, or for a suite that `tls_ciphersuite_t` lacks.
    public var negotiatedTLSCipherSuite: tls_ciphersuite_t? {
        content.metrics?.tlsCipher.flatMap { tls_ciphersuite_t(name: $0) }
    }

    /// The TLS version; `nil` without TLS.
    public var negotiatedTLSProtocolVersion: tls_protocol_version_t? {
        content.metrics?.tlsVersion.flatMap { tls_protocol_version_t(name: $0) }
    }

    /// Whether the connection is cellular. Always `false`: Linux doesn't report it.
    public var isCellular: Bool { false }

    /// Whether the connection is expensive. Always `false`: Linux doesn't report it.
    public var isExpensive: Bool { false }

    /// Whether the connection is in low data mode. Always `false`: Linux doesn't report it.
    public var isConstrained: Bool { false }

    /// Whether the connection goes through a proxy of `connectionProxyDictionary`.
    public var isProxyConnection: Bool { content.details.isProxied }

    /// Whether the request reused a connection that another request had opened.
    public var isReusedConnection: Bool { content.metrics?.isConnectionReused ?? false }

    /// Whether the connection uses Multipath TCP. Always `false`: libcurl doesn't support it.
    public var isMultipath: Bool { false }
}

// MARK: Sizes, in bytes

extension URLSessionTaskTransactionMetrics {
    /// The size of the request's body.
    public var countOfRequestBodyBytesBeforeEncoding: Int64 { content.details.bodyBytes }

    /// The number of request body bytes sent.
    public var countOfRequestBodyBytesSent: Int64 { content.details.bodyBytesSent }

    /// The size of the request's head as sent, including the body's framing.
    public var countOfRequestHeaderBytesSent: Int64 {
        max(0, (content.metrics?.requestBytes ?? 0) - content.details.bodyBytesSent)
    }

    /// The size of the response's body, decompressed.
    public var countOfResponseBodyBytesAfterDecoding: Int64 { content.metrics?.bodyBytes ?? 0 }

    /// The size of the response's body as received.
    public var countOfResponseBodyBytesReceived: Int64 {
        content.metrics.map { $0.responseBytes - $0.responseHeadBytes } ?? 0
    }

    /// The size of the response's head as received.
    public var countOfResponseHeaderBytesReceived: Int64 { content.metrics?.responseHeadBytes ?? 0 }
}
