internal import CurlTransport

extension URLSessionTaskTransactionMetrics {
    /// The protocol that was spoken, by its ALPN name: `http/1.0`, `http/1.1`, `h2` or `h3`.
    public var networkProtocolName: String? {
        switch content.metrics?.httpVersion {
        case "1.0": "http/1.0"
        case "1.1": "http/1.1"
        case "2": "h2"
        case "3": "h3"
        default: nil
        }
    }

    /// The address of the other end, the proxy's if there is one.
    public var remoteAddress: String? { content.metrics?.remoteAddress }

    /// The port of the other end, in decimal.
    public var remotePort: String? { content.metrics?.remotePort.map { "\($0)" } }

    /// The address of this end.
    public var localAddress: String? { content.metrics?.localAddress }

    /// The port of this end, in decimal.
    public var localPort: String? { content.metrics?.localPort.map { "\($0)" } }

    /// The TLS cipher suite; `nil` without TLS, and for a suite that has no name here.
    public var negotiatedTLSCipherSuite: tls_ciphersuite_t? {
        content.metrics?.tlsCipher.flatMap { tls_ciphersuite_t(name: $0) }
    }

    /// The version of TLS; `nil` without TLS.
    public var negotiatedTLSProtocolVersion: tls_protocol_version_t? {
        content.metrics?.tlsVersion.flatMap { tls_protocol_version_t(name: $0) }
    }

    /// Whether the connection is cellular. Always `false`: Linux doesn't tell.
    public var isCellular: Bool { false }

    /// Whether the connection costs much. Always `false`: Linux doesn't tell.
    public var isExpensive: Bool { false }

    /// Whether the connection is to be used sparingly. Always `false`: Linux doesn't tell.
    public var isConstrained: Bool { false }

    /// Whether the other end of the connection is a proxy of `connectionProxyDictionary`.
    public var isProxyConnection: Bool { content.details.isProxied }

    /// Whether the request went over a connection that another one had opened.
    public var isReusedConnection: Bool { content.metrics?.isConnectionReused ?? false }

    /// Whether the connection has several paths. Always `false`: libcurl makes none such.
    public var isMultipath: Bool { false }
}

// MARK: Amounts, in bytes

extension URLSessionTaskTransactionMetrics {
    /// The size of the request's body.
    public var countOfRequestBodyBytesBeforeEncoding: Int64 { content.details.bodyBytes }

    /// How much of the request's body was sent.
    public var countOfRequestBodyBytesSent: Int64 { content.details.bodyBytesSent }

    /// The size of the request's head as it was sent, with what frames the body.
    public var countOfRequestHeaderBytesSent: Int64 {
        max(0, (content.metrics?.requestBytes ?? 0) - content.details.bodyBytesSent)
    }

    /// The size of the response's body, decompressed.
    public var countOfResponseBodyBytesAfterDecoding: Int64 { content.metrics?.bodyBytes ?? 0 }

    /// The size of the response's body as it was received.
    public var countOfResponseBodyBytesReceived: Int64 {
        content.metrics.map { $0.responseBytes - $0.responseHeadBytes } ?? 0
    }

    /// The size of the response's head as it was received.
    public var countOfResponseHeaderBytesReceived: Int64 { content.metrics?.responseHeadBytes ?? 0 }
}
