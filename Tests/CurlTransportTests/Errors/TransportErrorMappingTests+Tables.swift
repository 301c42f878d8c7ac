import Curl
import Glibc

@testable import CurlTransport

// The error for each of libcurl's codes, by stage.

extension TransportErrorMappingTests {
    static let connectFailures: [Row] = [
        Row(
            curl: .unsupportedProtocol,
            code: .unsupportedURL,
            phase: .queued,
            retry: .never,
            stage: .resolving
        ),
        Row(
            curl: .unsupportedProtocol,
            code: .invalidResponse,
            phase: .waiting,
            retry: .never,
            says: "Unsupported response code in HTTP response"
        ),
        Row(
            curl: .unsupportedProtocol,
            code: .invalidResponse,
            phase: .waiting,
            retry: .never,
            says: "Received HTTP/0.9 when not allowed"
        ),
        Row(
            curl: .unsupportedProtocol,
            code: .invalidResponse,
            phase: .waiting,
            retry: .never,
            says: "Unsupported HTTP version in response"
        ),
        Row(curl: .urlMalformat, code: .invalidURL, phase: .queued, retry: .never),
        Row(curl: .couldntResolveProxy, code: .proxyNotFound, phase: .dns, retry: .always),
        Row(curl: .couldntResolveHost, code: .hostNotFound, phase: .dns, retry: .always),
        Row(curl: .couldntConnect, code: .connectFailed, phase: .tcp, retry: .always),
        Row(
            curl: .couldntConnect,
            code: .connectRefused,
            phase: .tcp,
            retry: .always,
            errno: ECONNREFUSED
        ),
        Row(
            curl: .couldntConnect,
            code: .connectTimeout,
            phase: .tcp,
            retry: .always,
            errno: ETIMEDOUT
        ),
        Row(
            curl: .couldntConnect,
            code: .networkUnreachable,
            phase: .tcp,
            retry: .always,
            errno: ENETUNREACH
        ),
        Row(
            curl: .couldntConnect,
            code: .networkUnreachable,
            phase: .tcp,
            retry: .always,
            errno: EHOSTUNREACH
        ),
        Row(
            curl: .couldntConnect,
            code: .noLocalPort,
            phase: .tcp,
            retry: .always,
            errno: EADDRNOTAVAIL
        ),
        Row(
            curl: .couldntConnect,
            code: .resourceExhausted,
            phase: .tcp,
            retry: .always,
            errno: EMFILE
        ),
        Row(
            curl: .couldntConnect,
            code: .connectRefused,
            phase: .proxy,
            retry: .always,
            errno: ECONNREFUSED,
            usesProxy: true
        ),
        Row(
            curl: .couldntConnect,
            code: .proxyRefused,
            phase: .proxy,
            retry: .never,
            connectCode: 403
        ),
        Row(curl: .proxy, code: .proxyFailed, phase: .proxy, retry: .always),
        Row(curl: .proxy, code: .proxyRefused, phase: .proxy, retry: .always, connectCode: 503),
        Row(curl: .quicConnectError, code: .connectFailed, phase: .tcp, retry: .always),
        Row(curl: .interfaceFailed, code: .bindFailed, phase: .tcp, retry: .never),
        Row(curl: .noConnectionAvailable, code: .resourceExhausted, phase: .queued, retry: .always),
    ]

    static let timeouts: [Row] = [
        Row(
            curl: .operationTimedOut,
            code: .connectTimeout,
            phase: .dns,
            retry: .always,
            stage: .resolving
        ),
        Row(
            curl: .operationTimedOut,
            code: .connectTimeout,
            phase: .tcp,
            retry: .always,
            stage: .connecting
        ),
        // The errno belongs to an address that was tried earlier.
        Row(
            curl: .operationTimedOut,
            code: .connectTimeout,
            phase: .tcp,
            retry: .always,
            stage: .connecting,
            errno: ECONNREFUSED
        ),
        Row(
            curl: .operationTimedOut,
            code: .tlsTimeout,
            phase: .tls,
            retry: .always,
            stage: .securing
        ),
        Row(
            curl: .operationTimedOut,
            code: .connectTimeout,
            phase: .proxy,
            retry: .always,
            stage: .securing,
            usesProxy: true
        ),
        Row(
            curl: .operationTimedOut,
            code: .tlsTimeout,
            phase: .tls,
            retry: .always,
            stage: .securing,
            connectCode: 200,
            usesProxy: true
        ),
        Row(
            curl: .operationTimedOut,
            code: .deadlineExceeded,
            phase: .waiting,
            retry: .idempotentOnly,
            stage: .waiting
        ),
        Row(
            curl: .operationTimedOut,
            code: .deadlineExceeded,
            phase: .receiving,
            retry: .idempotentOnly,
            stage: .receiving
        ),
        Row(
            curl: .operationTimedOut,
            code: .idleTimeout,
            phase: .receiving,
            retry: .idempotentOnly,
            stage: .receiving,
            says: "Operation too slow. Less than 1 bytes/sec transferred the last 9 seconds"
        ),
        Row(
            curl: .operationTimedOut,
            code: .deadlineExceeded,
            phase: .sending,
            retry: .idempotentOnly,
            stage: .connecting,
            isReused: true
        ),
    ]

    static let tlsFailures: [Row] = [
        Row(
            curl: .sslConnectError,
            code: .tlsHandshakeFailed,
            phase: .tls,
            retry: .always,
            stage: .securing
        ),
        Row(
            curl: .sslConnectError,
            code: .connectionLost,
            phase: .tls,
            retry: .always,
            stage: .securing,
            errno: ECONNRESET
        ),
        Row(
            curl: .sslConnectError,
            code: .clientCertificate,
            phase: .tls,
            retry: .never,
            stage: .securing,
            says: "error:0A000412:SSL routines::sslv3 alert bad certificate"
        ),
        Row(
            curl: .sslConnectError,
            code: .clientCertificateRequired,
            phase: .tls,
            retry: .never,
            says: "error:0A00045C:SSL routines::tlsv13 alert certificate required"
        ),
        Row(
            curl: .recvError,
            code: .clientCertificateRequired,
            phase: .tls,
            retry: .never,
            says: "OpenSSL SSL_read: tlsv13 alert certificate required, errno 0"
        ),
        Row(curl: .useSSLFailed, code: .tlsHandshakeFailed, phase: .tls, retry: .always),
        Row(curl: .sslCertProblem, code: .clientCertificate, phase: .tls, retry: .never),
        Row(
            curl: .badFunctionArgument,
            code: .clientCertificate,
            phase: .tls,
            retry: .never,
            says: "unable to set private key file: 'key.pem' type PEM"
        ),
        Row(curl: .sslClientCert, code: .clientCertificateRequired, phase: .tls, retry: .never),
        Row(curl: .sslCipher, code: .tlsConfiguration, phase: .tls, retry: .never),
        Row(curl: .sslEngineNotFound, code: .tlsConfiguration, phase: .tls, retry: .never),
        Row(curl: .sslEngineSetFailed, code: .tlsConfiguration, phase: .tls, retry: .never),
        Row(curl: .sslEngineInitFailed, code: .tlsConfiguration, phase: .tls, retry: .never),
        Row(curl: .sslCACertBadFile, code: .tlsConfiguration, phase: .tls, retry: .never),
        Row(curl: .sslCRLBadFile, code: .certificateUntrusted, phase: .tls, retry: .never),
        Row(curl: .sslIssuerError, code: .certificateUntrusted, phase: .tls, retry: .never),
        Row(curl: .sslPinnedPublicKeyNotMatch, code: .pinMismatch, phase: .tls, retry: .never),
        Row(curl: .sslInvalidCertStatus, code: .certificateStatus, phase: .tls, retry: .never),
        Row(curl: .echRequired, code: .tlsHandshakeFailed, phase: .tls, retry: .never),
    ]

    static let transferFailures: [Row] = [
        Row(curl: .weirdServerReply, code: .invalidResponse, phase: .waiting, retry: .never),
        Row(curl: .http2, code: .http2Connection, phase: .waiting, retry: .idempotentOnly),
        Row(
            curl: .partialFile,
            code: .truncatedResponse,
            phase: .receiving,
            retry: .idempotentOnly,
            stage: .receiving
        ),
        Row(curl: .gotNothing, code: .emptyReply, phase: .waiting, retry: .idempotentOnly),
        Row(
            curl: .sendError,
            code: .connectionLost,
            phase: .sending,
            retry: .idempotentOnly,
            errno: EPIPE
        ),
        Row(
            curl: .sendError,
            code: .connectionLost,
            phase: .sending,
            retry: .always,
            errno: ECONNRESET,
            isReused: true
        ),
        Row(
            curl: .sendError,
            code: .connectionLost,
            phase: .sending,
            retry: .idempotentOnly,
            errno: ECONNRESET,
            isReused: true,
            bytesSent: 1
        ),
        Row(
            curl: .recvError,
            code: .connectionLost,
            phase: .receiving,
            retry: .idempotentOnly,
            stage: .receiving,
            says: "Recv failure: Connection reset by peer",
            errno: ECONNRESET
        ),
        Row(
            curl: .recvError,
            code: .proxyRefused,
            phase: .proxy,
            retry: .never,
            stage: .connecting,
            says: "CONNECT tunnel failed, response 407",
            connectCode: 407
        ),
        Row(
            curl: .recvError,
            code: .proxyFailed,
            phase: .proxy,
            retry: .always,
            stage: .securing,
            says: "Proxy CONNECT aborted",
            usesProxy: true
        ),
        Row(
            curl: .recvError,
            code: .invalidResponse,
            phase: .receiving,
            retry: .never,
            stage: .receiving,
            says: "Malformed encoding found in chunked-encoding"
        ),
        Row(
            curl: .recvError,
            code: .responseHeadTooLarge,
            phase: .waiting,
            retry: .never,
            says: "Too large response headers: 307201 > 307200"
        ),
        Row(
            curl: .badContentEncoding,
            code: .invalidResponse,
            phase: .waiting,
            retry: .never,
            says: "Unsolicited Transfer-Encoding (gzip) found"
        ),
        Row(
            curl: .badContentEncoding,
            code: .decodingFailed,
            phase: .decoding,
            retry: .never,
            stage: .receiving
        ),
        Row(curl: .fileSizeExceeded, code: .responseTooLarge, phase: .waiting, retry: .never),
        Row(curl: .tooLarge, code: .responseHeadTooLarge, phase: .waiting, retry: .never),
        Row(
            curl: .tooLarge,
            code: .responseTooLarge,
            phase: .receiving,
            retry: .never,
            stage: .receiving
        ),
        Row(curl: .outOfMemory, code: .responseHeadTooLarge, phase: .waiting, retry: .never),
        Row(
            curl: .outOfMemory,
            code: .resourceExhausted,
            phase: .receiving,
            retry: .never,
            stage: .receiving
        ),
        Row(
            curl: .http2Stream,
            code: .streamReset,
            phase: .waiting,
            retry: .idempotentOnly,
            says: "HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)"
        ),
        Row(
            curl: .http2Stream,
            code: .streamReset,
            phase: .waiting,
            retry: .always,
            says: "HTTP/2 stream 1 was not closed cleanly: REFUSED_STREAM (err 7)"
        ),
        Row(curl: .http3, code: .http3, phase: .waiting, retry: .idempotentOnly),
        Row(curl: .rangeError, code: .rangeNotSupported, phase: .waiting, retry: .never),
        Row(curl: .loginDenied, code: .authenticationFailed, phase: .waiting, retry: .never),
        Row(curl: .authError, code: .authenticationFailed, phase: .waiting, retry: .never),
        Row(curl: .tooManyRedirects, code: .tooManyRedirects, phase: .waiting, retry: .never),
    ]

    static let localFailures: [Row] = [
        Row(curl: .failedInit, code: .internal, phase: .waiting, retry: .never),
        Row(curl: .notBuiltIn, code: .unsupportedFeature, phase: .queued, retry: .never),
        Row(curl: .unknownOption, code: .unsupportedFeature, phase: .queued, retry: .never),
        Row(curl: .setoptOptionSyntax, code: .invalidRequest, phase: .queued, retry: .never),
        Row(curl: .remoteAccessDenied, code: .internal, phase: .waiting, retry: .never),
        Row(curl: .writeError, code: .internal, phase: .waiting, retry: .never),
        Row(curl: .readError, code: .requestBodyFailed, phase: .sending, retry: .never),
        Row(curl: .httpPostError, code: .internal, phase: .waiting, retry: .never),
        Row(curl: .abortedByCallback, code: .internal, phase: .waiting, retry: .never),
        Row(curl: .badFunctionArgument, code: .internal, phase: .waiting, retry: .never),
        Row(curl: .sendFailRewind, code: .bodyNotReplayable, phase: .sending, retry: .never),
        Row(
            curl: .sslShutdownFailed,
            code: .connectionLost,
            phase: .waiting,
            retry: .idempotentOnly
        ),
        Row(curl: .chunkFailed, code: .internal, phase: .waiting, retry: .never),
        Row(curl: .unrecoverablePoll, code: .internal, phase: .waiting, retry: .idempotentOnly),
        Row(curl: .ftpPortFailed, code: .unknown, phase: .waiting, retry: .never),
    ]
}
