internal import Curl
internal import Glibc

extension TransportError.Mapping {
    /// Failures while a request is sent and its response received.
    init?(transferring code: CurlCode, _ context: FailureContext) {
        switch code {
        case .weirdServerReply:
            self.init(
                .invalidResponse,
                "the server's response isn't valid HTTP",
                "Check that the port is one of an HTTP server."
            )
        case .gotNothing:
            self.init(.emptyReply, "the server closed the connection without an answer")
        case .partialFile where context.headReceived:
            self.init(.truncatedResponse, "the response ended before the length it promised")
        case .partialFile where context.errorContains("not closed cleanly"):
            self.init(.connectionLost, "the HTTP/2 connection ended before the response began")
        case .partialFile:
            self.init(.truncatedResponse, "the connection ended within the head of the response")
        case .sendError:
            self.init(sendFailure: context)
        case .recvError:
            self.init(receiveFailure: context)
        case .badFunctionArgument
        where context.errorContains("chunked-encoded stream")
            || context.errorContains("invalid response header"):
            // libcurl can't store this trailer among the fields. The text changed in 8.7.
            self.init(
                .invalidResponse,
                "the trailers of the response aren't valid HTTP",
                "The server or a proxy violates HTTP."
            )
        case .badContentEncoding
        where context.errorContains("transfer-encoding (")
            || context.errorContains("last transfer-encoding"):
            // Since 8.14, libcurl itself rejects the transfer codings that the transfer rejects.
            self.init(
                .invalidResponse,
                "the response has a transfer coding that the request doesn't accept"
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
            self.init(.rangeNotSupported, "the server doesn't support the requested range")
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
        if let alert = Self(clientCertificateAlert: context) {
            self = alert
            return
        }
        // The server had closed the reused connection, so it never saw the request.
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
        } else if context.errorContains("too large response headers") {
            self.init(
                .responseHeadTooLarge,
                "the response head exceeds libcurl's limit"
            )
        } else if context.errorContains("chunked-encoding")
            || context.errorContains("chunked-encoded")
            || context.errorContains("chunk") || context.errorContains("header")
        {
            self.init(
                .invalidResponse,
                "the server's response isn't valid HTTP",
                "The server or a proxy violates HTTP."
            )
        } else if let alert = Self(clientCertificateAlert: context) {
            self = alert
        } else if context.usesProxy, context.errorContains("proxy connect") {
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
        // The server didn't process a refused stream. Source: RFC 9113, section 8.7.
        if context.errorContains("refused_stream") || context.errorContains("(err 7)") {
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
        if context.errorContains("chunked-encoding") || context.errorContains("response headers") {
            self.init(
                .responseHeadTooLarge,
                "the trailers of the response exceed libcurl's limit"
            )
        } else if context.headReceived {
            self.init(.responseTooLarge, "a part of the response exceeds libcurl's limit")
        } else {
            self.init(.responseHeadTooLarge, "the response head exceeds libcurl's limit")
        }
    }

    private init(outOfMemory context: FailureContext) {
        // Before 8.6, libcurl returns this code for a header line above 100 KB, too.
        if context.isPreTransferDone, !context.headReceived {
            self.init(
                .responseHeadTooLarge,
                "a header line of the response exceeds libcurl's limit, "
                    + "or memory ran out"
            )
        } else {
            self.init(.resourceExhausted, "libcurl ran out of memory")
        }
    }
}
