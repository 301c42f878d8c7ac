internal import Curl
internal import Glibc

extension Verdict {
    /// Failures while a request is sent and its response received.
    init?(transferring code: CurlCode, _ context: FailureContext) {
        switch code {
        case .weirdServerReply:
            self.init(
                .invalidResponse,
                "the server's answer is no valid HTTP",
                "Check that the port is one of an HTTP server."
            )
        case .gotNothing:
            self.init(.emptyReply, "the server closed the connection without an answer")
        case .partialFile where context.headReceived:
            self.init(.truncatedResponse, "the response ended before the length it promised")
        case .partialFile where context.says("not closed cleanly"):
            self.init(.connectionLost, "the HTTP/2 connection ended before the response began")
        case .partialFile:
            self.init(.truncatedResponse, "the connection ended within the head of the response")
        case .sendError:
            self.init(sendFailure: context)
        case .recvError:
            self.init(receiveFailure: context)
        case .badFunctionArgument where context.says("chunked-encoded stream"):
            // A trailer that libcurl can't put among its fields.
            self.init(
                .invalidResponse,
                "the trailers of the response are no valid HTTP",
                "The server, or something on the way, is broken."
            )
        case .badContentEncoding:
            self.init(
                .decodingFailed,
                "the response body couldn't be decompressed",
                phase: .decoding
            )
        case .fileSizeExceeded:
            self.init(
                .responseTooLarge,
                "the response body is larger than the limit",
                "Raise the limit if this is to be expected."
            )
        case .tooLarge:
            self.init(tooLarge: context)
        case .http2:
            self.init(.http2Connection, "the HTTP/2 connection failed")
        case .http2Stream:
            self.init(streamReset: context)
        case .http3:
            self.init(.http3, "the HTTP/3 connection failed")
        case .rangeError, .badDownloadResume:
            self.init(.rangeNotSupported, "the server doesn't do the range that was asked for")
        case .httpReturnedError:
            self.init(.invalidResponse, "the server answered with an error status")
        case .loginDenied, .authError:
            self.init(
                .authenticationFailed,
                "the credentials weren't accepted",
                "Check user name, password and kind of authentication."
            )
        case .tooManyRedirects:
            self.init(.tooManyRedirects, "there were too many redirects")
        case .outOfMemory:
            self.init(outOfMemory: context)
        default:
            return nil
        }
    }

    private init(sendFailure context: FailureContext) {
        if let alert = Verdict(clientCertificateAlert: context) {
            self = alert
            return
        }
        // A re-used connection that the server had closed: it never saw the request.
        let isStale = context.isConnectionReused && context.bytesSent == 0
        self.init(
            .connectionLost,
            "the connection was lost while the request was sent",
            phase: .sending,
            retry: isStale ? .always : .idempotentOnly,
            usesErrno: true
        )
    }

    private init(receiveFailure context: FailureContext) {
        if context.connectCode >= 400 {
            self.init(proxyRefusal: context)
        } else if context.says("too large response headers") {
            self.init(
                .responseHeadTooLarge,
                "the response head is larger than libcurl takes"
            )
        } else if context.says("chunked-encoding") || context.says("chunked-encoded")
            || context.says("chunk") || context.says("header")
        {
            self.init(
                .invalidResponse,
                "the server's answer is no valid HTTP",
                "The server, or something on the way, is broken."
            )
        } else if let alert = Verdict(clientCertificateAlert: context) {
            self = alert
        } else if context.usesProxy, context.says("proxy connect") {
            self.init(
                .proxyFailed,
                "the proxy closed the connection",
                "Check the proxy.",
                phase: .proxy,
                usesErrno: true
            )
        } else {
            self.init(
                .connectionLost,
                "the connection was lost while the response was received",
                usesErrno: true
            )
        }
    }

    private init(streamReset context: FailureContext) {
        // A refused stream was not acted upon. Source: RFC 9113, section 8.7.
        if context.says("refused_stream") || context.says("(err 7)") {
            self.init(
                .streamReset,
                "the server refused the HTTP/2 stream",
                retry: .always
            )
        } else {
            self.init(.streamReset, "the server reset the HTTP/2 stream")
        }
    }

    private init(tooLarge context: FailureContext) {
        if context.headReceived {
            self.init(.responseTooLarge, "a part of the response is larger than libcurl takes")
        } else {
            self.init(.responseHeadTooLarge, "the response head is larger than libcurl takes")
        }
    }

    private init(outOfMemory context: FailureContext) {
        // libcurl before 8.6 says this of a header line above 100 KB as well.
        if context.isPreTransferDone, !context.headReceived {
            self.init(
                .responseHeadTooLarge,
                "a header line of the response is larger than libcurl takes, "
                    + "or there was no memory for it"
            )
        } else {
            self.init(.resourceExhausted, "libcurl had no memory for it")
        }
    }
}
