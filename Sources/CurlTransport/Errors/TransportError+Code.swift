extension TransportError {
    /// The kind of a failure.
    ///
    /// Later versions may add codes, so a `switch` needs a `default`. The description is the name.
    /// It never changes and contains no data, so it can be used as a label for metrics.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        enum Value: String, Sendable, CaseIterable {
            case cancelled
            case shutdown
            case invalidRequest
            case invalidURL
            case unsupportedURL
            case unsupportedFeature
            case configuration
            case requestBodyFailed
            case bodyNotReplayable
            case fileWriteFailed
            case queueFull
            case poolTimeout
            case circuitOpen
            case connectTimeout
            case tlsTimeout
            case firstByteTimeout
            case idleTimeout
            case deadlineExceeded
            case hostNotFound
            case connectRefused
            case connectFailed
            case networkUnreachable
            case addressRefused
            case noLocalPort
            case bindFailed
            case proxyNotFound
            case proxyFailed
            case proxyRefused
            case tlsHandshakeFailed
            case tlsConfiguration
            case clientCertificate
            case clientCertificateRequired
            case certificateExpired
            case certificateNotYetValid
            case certificateUntrusted
            case certificateRevoked
            case certificateHostname
            case certificateStatus
            case pinMismatch
            case trustRefused
            case connectionLost
            case emptyReply
            case unanswered
            case truncatedResponse
            case invalidResponse
            case responseHeadTooLarge
            case responseTooLarge
            case decodingFailed
            case http2Connection
            case streamReset
            case http3
            case rangeNotSupported
            case authenticationFailed
            case tooManyRedirects
            case redirectForbidden
            case resourceExhausted
            case `internal`
            case unknown
        }

        let value: Value

        private init(_ value: Value) {
            self.value = value
        }

        /// Creates a code from its ``description``; nil if no code has this name.
        ///
        /// Use it to read codes that a log or a recording has stored.
        public init?(named name: String) {
            guard let value = Value(rawValue: name) else { return nil }
            self.value = value
        }

        /// The name, such as `connectTimeout`.
        public var description: String { value.rawValue }
    }
}

// MARK: Caused by the caller

extension TransportError.Code {
    /// The caller cancelled the transfer.
    public static let cancelled = Self(.cancelled)

    /// The transport was shut down.
    public static let shutdown = Self(.shutdown)

    /// The request can't be sent.
    ///
    /// A method, a field or a combination isn't allowed.
    public static let invalidRequest = Self(.invalidRequest)

    /// The URL is malformed.
    public static let invalidURL = Self(.invalidURL)

    /// The URL's scheme is neither http nor https.
    public static let unsupportedURL = Self(.unsupportedURL)

    /// The installed libcurl was built without a required feature.
    public static let unsupportedFeature = Self(.unsupportedFeature)

    /// An option can't be used.
    ///
    /// Examples are an unreadable file and a value out of range.
    public static let configuration = Self(.configuration)

    /// The source of the request body failed.
    public static let requestBodyFailed = Self(.requestBodyFailed)

    /// The request body had to be sent again, but can't be.
    ///
    /// Its source provides it only once.
    public static let bodyNotReplayable = Self(.bodyNotReplayable)

    /// The downloaded file couldn't be written.
    public static let fileWriteFailed = Self(.fileWriteFailed)
}

// MARK: The queue

extension TransportError.Code {
    /// The queue has reached ``TransportConfiguration/maximumQueued``. Nothing was sent.
    ///
    /// Middleware with a queue of its own uses this code, too.
    public static let queueFull = Self(.queueFull)

    /// A circuit breaker sends no requests to the server for a while. Nothing was sent.
    ///
    /// `CircuitBreakerMiddleware` of the product `CurlResilience` reports it, after failures in a
    /// row. A retry fails in the same way until the breaker's pause is over.
    public static let circuitOpen = Self(.circuitOpen)
}

// MARK: Timeouts, named by the missing event

extension TransportError.Code {
    /// No connection was available within ``Timeouts/queue``. Nothing was sent.
    public static let poolTimeout = Self(.poolTimeout)

    /// No connection was established in time.
    ///
    /// ``TransportError/phase-swift.property`` tells whether the lookup, TCP or the proxy was too
    /// slow.
    public static let connectTimeout = Self(.connectTimeout)

    /// The TLS handshake wasn't completed in time.
    public static let tlsTimeout = Self(.tlsTimeout)

    /// The first byte of the response didn't arrive in time.
    public static let firstByteTimeout = Self(.firstByteTimeout)

    /// No byte was transferred within the idle timeout.
    public static let idleTimeout = Self(.idleTimeout)

    /// The whole transfer took longer than its deadline allows.
    public static let deadlineExceeded = Self(.deadlineExceeded)
}

// MARK: Connecting to the server

extension TransportError.Code {
    /// The host name couldn't be resolved.
    public static let hostNotFound = Self(.hostNotFound)

    /// The server's host refused the connection.
    public static let connectRefused = Self(.connectRefused)

    /// The connection couldn't be established.
    public static let connectFailed = Self(.connectFailed)

    /// There is no route to the server.
    public static let networkUnreachable = Self(.networkUnreachable)

    /// The host has no address that ``TransferOptions/addressScope`` allows.
    ///
    /// Nothing was sent to it.
    public static let addressRefused = Self(.addressRefused)

    /// This machine has no local port or address left for the connection.
    public static let noLocalPort = Self(.noLocalPort)

    /// The requested local interface, address or port couldn't be used.
    public static let bindFailed = Self(.bindFailed)

    /// The proxy's host name couldn't be resolved.
    public static let proxyNotFound = Self(.proxyNotFound)

    /// The connection to the proxy, or the handshake with it, failed.
    public static let proxyFailed = Self(.proxyFailed)

    /// The proxy refused to connect to the server.
    public static let proxyRefused = Self(.proxyRefused)
}

// MARK: TLS

extension TransportError.Code {
    /// The TLS handshake failed.
    public static let tlsHandshakeFailed = Self(.tlsHandshakeFailed)

    /// The TLS options can't be used.
    ///
    /// Examples are an unreadable CA file and an unknown cipher.
    public static let tlsConfiguration = Self(.tlsConfiguration)

    /// The client certificate or its key can't be used, or the server refused it.
    public static let clientCertificate = Self(.clientCertificate)

    /// The server requires a client certificate.
    public static let clientCertificateRequired = Self(.clientCertificateRequired)

    /// The server's certificate has expired.
    public static let certificateExpired = Self(.certificateExpired)

    /// The server's certificate is not valid yet.
    public static let certificateNotYetValid = Self(.certificateNotYetValid)

    /// The server's certificate has no chain to a trusted root.
    public static let certificateUntrusted = Self(.certificateUntrusted)

    /// The server's certificate was revoked.
    public static let certificateRevoked = Self(.certificateRevoked)

    /// The server's certificate is for another name.
    public static let certificateHostname = Self(.certificateHostname)

    /// The server's certificate status (OCSP) is missing or bad.
    public static let certificateStatus = Self(.certificateStatus)

    /// The server's public key matches none of the pins. Never worth a retry.
    public static let pinMismatch = Self(.pinMismatch)

    /// The caller's trust evaluation rejected the server's certificate, or the server presented
    /// another one on each of more than 20 connections.
    public static let trustRefused = Self(.trustRefused)
}

// MARK: HTTP

extension TransportError.Code {
    /// The connection was lost during the transfer.
    public static let connectionLost = Self(.connectionLost)

    /// The server closed the connection without sending a response byte.
    public static let emptyReply = Self(.emptyReply)

    /// A reused connection ended after the request was sent, without a response.
    ///
    /// The request can't be sent again: ``TransferOptions/retriesOnReusedConnectionLoss`` doesn't allow
    /// it, it was sent again before, or its body can be sent only once.
    public static let unanswered = Self(.unanswered)

    /// The response body was shorter than its announced length.
    public static let truncatedResponse = Self(.truncatedResponse)

    /// The server's response is not valid HTTP.
    public static let invalidResponse = Self(.invalidResponse)

    /// The response head has too many fields or too many bytes.
    public static let responseHeadTooLarge = Self(.responseHeadTooLarge)

    /// The response body is larger than the limit.
    public static let responseTooLarge = Self(.responseTooLarge)

    /// The response body couldn't be decompressed, or the charset of its text isn't supported.
    public static let decodingFailed = Self(.decodingFailed)

    /// The HTTP/2 connection failed.
    public static let http2Connection = Self(.http2Connection)

    /// The server reset the HTTP/2 stream.
    public static let streamReset = Self(.streamReset)

    /// The HTTP/3 connection failed.
    public static let http3 = Self(.http3)

    /// The server doesn't support the requested range.
    public static let rangeNotSupported = Self(.rangeNotSupported)

    /// The server or proxy didn't accept the credentials.
    public static let authenticationFailed = Self(.authenticationFailed)

    /// There were more redirects than the limit.
    public static let tooManyRedirects = Self(.tooManyRedirects)

    /// The redirect's target is forbidden: https to http, or another scheme.
    public static let redirectForbidden = Self(.redirectForbidden)
}

// MARK: Others

extension TransportError.Code {
    /// This process ran out of memory, descriptors or connections.
    public static let resourceExhausted = Self(.resourceExhausted)

    /// A call of libcurl failed unexpectedly. This is a defect of this library.
    public static let `internal` = Self(.internal)

    /// libcurl returned a code without a mapping; see ``TransportError/curlCode``.
    public static let unknown = Self(.unknown)
}

extension TransportError.Code {
    /// All codes, for exhaustive mappings to other types.
    package static var all: [Self] { Value.allCases.map(Self.init) }
}
