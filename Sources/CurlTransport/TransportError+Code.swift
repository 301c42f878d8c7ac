extension TransportError {
    /// The kind of a failure.
    ///
    /// More may be added in later versions, so a `switch` needs a `default`. The description is
    /// the name, which never changes and holds no data: it serves as a label for metrics.
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
            case poolTimeout
            case connectTimeout
            case tlsTimeout
            case firstByteTimeout
            case idleTimeout
            case deadlineExceeded
            case hostNotFound
            case connectRefused
            case connectFailed
            case networkUnreachable
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

        /// The name, such as `connectTimeout`.
        public var description: String { value.rawValue }
    }
}

// MARK: The caller's own doing

extension TransportError.Code {
    /// The transfer was cancelled by the caller.
    public static let cancelled = Self(.cancelled)

    /// The transport was shut down.
    public static let shutdown = Self(.shutdown)

    /// The request can't be sent as it is: a method, a field or a combination that isn't allowed.
    public static let invalidRequest = Self(.invalidRequest)

    /// The URL is malformed.
    public static let invalidURL = Self(.invalidURL)

    /// The URL's scheme is neither http nor https.
    public static let unsupportedURL = Self(.unsupportedURL)

    /// The installed libcurl was built without what was asked for.
    public static let unsupportedFeature = Self(.unsupportedFeature)

    /// An option can't be used: an unreadable file, a value out of range.
    public static let configuration = Self(.configuration)

    /// The source of the request body failed.
    public static let requestBodyFailed = Self(.requestBodyFailed)

    /// The request body had to be sent again, and its source gives it only once.
    public static let bodyNotReplayable = Self(.bodyNotReplayable)

    /// The downloaded file couldn't be written.
    public static let fileWriteFailed = Self(.fileWriteFailed)
}

// MARK: Time limits, named by what didn't come in time

extension TransportError.Code {
    /// No place for the transfer came free in time.
    public static let poolTimeout = Self(.poolTimeout)

    /// No connection came about in time: look-up, TCP or proxy, see ``TransportError/phase-
    /// swift.property``.
    public static let connectTimeout = Self(.connectTimeout)

    /// The TLS handshake didn't end in time.
    public static let tlsTimeout = Self(.tlsTimeout)

    /// The first byte of the response didn't come in time.
    public static let firstByteTimeout = Self(.firstByteTimeout)

    /// No byte moved for too long.
    public static let idleTimeout = Self(.idleTimeout)

    /// The transfer as a whole took too long.
    public static let deadlineExceeded = Self(.deadlineExceeded)
}

// MARK: Getting to the server

extension TransportError.Code {
    /// The host name couldn't be resolved.
    public static let hostNotFound = Self(.hostNotFound)

    /// The server's machine refused the connection.
    public static let connectRefused = Self(.connectRefused)

    /// The connection couldn't be made.
    public static let connectFailed = Self(.connectFailed)

    /// There is no route to the server.
    public static let networkUnreachable = Self(.networkUnreachable)

    /// This machine has no local port or address left for the connection.
    public static let noLocalPort = Self(.noLocalPort)

    /// The local interface, address or port that was asked for couldn't be used.
    public static let bindFailed = Self(.bindFailed)

    /// The proxy's host name couldn't be resolved.
    public static let proxyNotFound = Self(.proxyNotFound)

    /// The proxy couldn't be spoken with.
    public static let proxyFailed = Self(.proxyFailed)

    /// The proxy answered that it won't connect to the server.
    public static let proxyRefused = Self(.proxyRefused)
}

// MARK: TLS

extension TransportError.Code {
    /// The TLS handshake failed.
    public static let tlsHandshakeFailed = Self(.tlsHandshakeFailed)

    /// The TLS options can't be used: an unreadable CA file, an unknown cipher.
    public static let tlsConfiguration = Self(.tlsConfiguration)

    /// The client certificate or its key can't be used, or the server refused it.
    public static let clientCertificate = Self(.clientCertificate)

    /// The server wants a client certificate.
    public static let clientCertificateRequired = Self(.clientCertificateRequired)

    /// The server's certificate has expired.
    public static let certificateExpired = Self(.certificateExpired)

    /// The server's certificate is not valid yet.
    public static let certificateNotYetValid = Self(.certificateNotYetValid)

    /// The server's certificate leads to no trusted root.
    public static let certificateUntrusted = Self(.certificateUntrusted)

    /// The server's certificate was revoked.
    public static let certificateRevoked = Self(.certificateRevoked)

    /// The server's certificate is for another name.
    public static let certificateHostname = Self(.certificateHostname)

    /// The server's certificate status (OCSP) is missing or bad.
    public static let certificateStatus = Self(.certificateStatus)

    /// The server's public key is none of the pinned ones. Never worth a retry.
    public static let pinMismatch = Self(.pinMismatch)

    /// The caller's own verification refused the server's certificate.
    public static let trustRefused = Self(.trustRefused)
}

// MARK: HTTP

extension TransportError.Code {
    /// The connection was lost while the transfer ran.
    public static let connectionLost = Self(.connectionLost)

    /// The server closed the connection without a single byte of response.
    public static let emptyReply = Self(.emptyReply)

    /// A connection that had served before ended without an answer after the request was sent, and
    /// ``TransferOptions/resendsUnanswered`` is false.
    public static let unanswered = Self(.unanswered)

    /// The response body ended before the length it had promised.
    public static let truncatedResponse = Self(.truncatedResponse)

    /// What the server sent is no valid HTTP.
    public static let invalidResponse = Self(.invalidResponse)

    /// The response has too many header fields, or too many bytes of them.
    public static let responseHeadTooLarge = Self(.responseHeadTooLarge)

    /// The response body is larger than the limit.
    public static let responseTooLarge = Self(.responseTooLarge)

    /// The response body couldn't be decompressed.
    public static let decodingFailed = Self(.decodingFailed)

    /// The HTTP/2 connection failed.
    public static let http2Connection = Self(.http2Connection)

    /// The HTTP/2 stream was reset by the server.
    public static let streamReset = Self(.streamReset)

    /// The HTTP/3 connection failed.
    public static let http3 = Self(.http3)

    /// The server doesn't do the range that was asked for.
    public static let rangeNotSupported = Self(.rangeNotSupported)

    /// The server or proxy didn't accept the credentials.
    public static let authenticationFailed = Self(.authenticationFailed)

    /// There were more redirects than the limit.
    public static let tooManyRedirects = Self(.tooManyRedirects)

    /// The redirect leads where it must not be followed: from https to http, or to another
    /// scheme.
    public static let redirectForbidden = Self(.redirectForbidden)
}

// MARK: The rest

extension TransportError.Code {
    /// This process ran out of memory, descriptors or connections.
    public static let resourceExhausted = Self(.resourceExhausted)

    /// A call on libcurl that should have worked did not. A defect of this library.
    public static let `internal` = Self(.internal)

    /// libcurl gave a number that has no kind here; see ``TransportError/curlCode``.
    public static let unknown = Self(.unknown)
}

extension TransportError.Code {
    /// All codes, for those who map them to something else and want to miss none.
    package static var all: [Self] { Value.allCases.map(Self.init) }
}
