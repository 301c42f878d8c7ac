import Curl
import Glibc
import Testing

@testable import CurlTransport

/// The whole way from libcurl's number to the error, row by row.
struct TransportErrorMappingTests {
    /// A transfer that failed at a stage, over TLS.
    enum Stage: Int, CaseIterable {
        case resolving, connecting, securing, waiting, receiving

        func context(scheme: String = "https") -> FailureContext {
            var context = FailureContext(scheme: scheme, url: "\(scheme)://h/p")
            context.isNameLookupDone = rawValue > Self.resolving.rawValue
            context.isConnectDone = rawValue > Self.connecting.rawValue
            context.isAppConnectDone = rawValue > Self.securing.rawValue && scheme == "https"
            context.isPreTransferDone = rawValue > Self.securing.rawValue
            context.headReceived = self == .receiving
            return context
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var curl: CurlCode
        var code: TransportError.Code
        var phase: TransportError.Phase
        var retry: TransportError.Retry
        var stage = Stage.waiting
        var says = ""
        var errno: Int32 = 0
        var verifyResult = 0
        var connectCode = 0
        var usesProxy = false
        var isReused = false
        var bytesSent: Int64 = 0

        var testDescription: String {
            "\(curl.rawValue) \(says) errno \(errno) verify \(verifyResult) -> \(code)"
        }

        var error: TransportError {
            var context = stage.context()
            context.errorBuffer = says
            context.systemErrno = errno
            context.verifyResult = verifyResult
            context.connectCode = connectCode
            context.usesProxy = usesProxy
            context.isConnectionReused = isReused
            context.bytesSent = bytesSent
            return TransportError(curlCode: curl, context: context)
        }
    }

    private func expect(_ row: Row) {
        let error = row.error
        #expect(error.code == row.code)
        #expect(error.phase == row.phase)
        #expect(error.retry == row.retry)
        #expect(error.curlCode == row.curl.rawValue)
        #expect(error.message.contains("http"))
    }

    static let reaching: [Row] = [
        Row(curl: .unsupportedProtocol, code: .unsupportedURL, phase: .queued, retry: .never),
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
        Row(
            curl: .noConnectionAvailable,
            code: .resourceExhausted,
            phase: .queued,
            retry: .always
        ),
    ]

    @Test(arguments: reaching)
    func failuresOnTheWayToTheServer(row: Row) { expect(row) }

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
        // The errno is that of an address that was tried before.
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

    @Test(arguments: timeouts)
    func aTimeoutIsNamedByItsPhase(row: Row) {
        expect(row)
        #expect(row.error.isTimeout == true)
        #expect(row.error.systemErrno == nil)
    }

    static let securing: [Row] = [
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

    @Test(arguments: securing)
    func failuresOfTLS(row: Row) { expect(row) }

    @Test(arguments: [
        (10, "", TransportError.Code.certificateExpired), (9, "", .certificateNotYetValid),
        (2, "", .certificateUntrusted), (18, "", .certificateUntrusted),
        (19, "", .certificateUntrusted), (20, "", .certificateUntrusted),
        (21, "", .certificateUntrusted), (23, "", .certificateRevoked),
        (62, "", .certificateHostname), (0, "", .certificateUntrusted),
        (4711, "", .certificateUntrusted),
        (
            0, "SSL: no alternative certificate subject name matches target host name 'h'",
            .certificateHostname
        ),
        (
            0, "SSL: certificate subject name 'a' does not match target host name 'b'",
            .certificateHostname
        ),
        (0, "SSL certificate problem: certificate has expired", .certificateExpired),
        (0, "SSL certificate problem: certificate is not yet valid", .certificateNotYetValid),
    ])
    func aCertificateFailsByItsVerdict(
        verifyResult: Int,
        words: String,
        code: TransportError.Code
    ) {
        let row = Row(
            curl: .peerFailedVerification,
            code: code,
            phase: .tls,
            retry: .never,
            stage: .securing,
            says: words,
            verifyResult: verifyResult
        )
        expect(row)
        #expect(row.error.isTLS == true)
        #expect(row.error.verifyResult == (verifyResult == 0 ? nil : verifyResult))
    }

    static let transferring: [Row] = [
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
        Row(
            curl: .outOfMemory,
            code: .responseHeadTooLarge,
            phase: .waiting,
            retry: .never
        ),
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

    @Test(arguments: transferring)
    func failuresOfTheExchange(row: Row) { expect(row) }

    static let local: [Row] = [
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
        Row(
            curl: .unrecoverablePoll,
            code: .internal,
            phase: .waiting,
            retry: .idempotentOnly
        ),
        Row(curl: .ftpPortFailed, code: .unknown, phase: .waiting, retry: .never),
    ]

    @Test(arguments: local)
    func failuresOfThisSide(row: Row) { expect(row) }

    @Test func everyNumberBecomesAnErrorAtEveryStage() {
        let words = ["", "alert", "HTTP/0.9", "chunked-encoding", "header", "(err 7)", "\u{0}é"]
        let errnos: [Int32] = [0, -1, ECONNREFUSED, ECONNRESET, 4711, .max]
        for number in [Int32.min, -1] + Array(0...130) + [.max] {
            for stage in Stage.allCases {
                for text in words {
                    for errno in errnos {
                        var context = stage.context(scheme: errno == 0 ? "http" : "https")
                        context.errorBuffer = text
                        context.systemErrno = errno
                        let code = CurlCode(rawValue: number)
                        let error = TransportError(curlCode: code, context: context)
                        #expect(error.curlCode == number)
                        #expect(error.message.isEmpty == false)
                    }
                }
            }
        }
    }

    /// What has no kind of its own are the codes of other protocols, and retired ones.
    @Test func onlyCodesOfOtherProtocolsAreUnknown() {
        let context = Stage.waiting.context()
        let unknown = (0...101).filter {
            TransportError(curlCode: CurlCode(rawValue: $0), context: context).code == .unknown
        }
        let otherProtocols: [Int32] = [
            10, 11, 12, 13, 14, 15, 17, 19, 21, 30, 31, 37, 38, 39, 68, 69, 70, 71, 72, 73, 74, 78,
            79, 84, 85, 86, 87,
        ]
        let retired: [Int32] = [20, 24, 29, 32, 40, 44, 46, 50, 57, 62, 75, 76]
        #expect(Set(unknown) == Set(otherProtocols + retired))
    }

    @Test func theSystemsErrorIsOnlyBelievedWhereItBelongs() {
        for (curl, isBelieved) in [
            (CurlCode.couldntConnect, true), (.recvError, true), (.sendError, true),
            (.interfaceFailed, true), (.gotNothing, false), (.partialFile, false),
            (.peerFailedVerification, false), (.couldntResolveHost, false),
        ] {
            var context = Stage.waiting.context()
            context.systemErrno = ECONNREFUSED
            let error = TransportError(curlCode: curl, context: context)
            #expect((error.systemErrno != nil) == isBelieved)
            #expect(error.message.contains("errno") == isBelieved)
        }
    }
}
