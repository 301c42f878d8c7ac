internal import Curl
internal import Glibc

extension TransportError.Mapping {
    /// Failures before a connection exists: the URL, names, addresses, proxies, and timeouts.
    init?(connecting code: CurlCode, _ context: FailureContext) {
        switch code {
        case .unsupportedProtocol:
            self.init(unsupportedProtocol: context)
        case .urlMalformat:
            self.init(.invalidURL, "the URL is malformed", "Correct the URL.", phase: .queued)
        case .couldntResolveProxy:
            self.init(
                .proxyNotFound,
                "the proxy's name couldn't be resolved",
                "Check the proxy's name and the name servers.",
                phase: .dns
            )
        case .couldntResolveHost:
            self.init(
                .hostNotFound,
                "the host's name couldn't be resolved",
                "Check the name; if it is right, the name servers may be out of reach.",
                phase: .dns
            )
        case .couldntConnect:
            self.init(refusedConnect: context)
        case .proxy:
            self.init(proxyFailure: context)
        case .quicConnectError:
            self.init(
                .connectFailed,
                "the QUIC connection couldn't be established",
                "Check whether the server speaks HTTP/3, or allow HTTP/2.",
                phase: .tcp
            )
        case .interfaceFailed:
            self.init(
                .bindFailed,
                "the local interface, address or port couldn't be used",
                "Check that it exists and is free.",
                phase: .tcp,
                usesErrno: true
            )
        case .noConnectionAvailable:
            self.init(
                .resourceExhausted,
                "no connection was available",
                phase: .queued,
                retry: .always
            )
        case .operationTimedOut:
            self.init(timedOut: context)
        default:
            return nil
        }
    }

    private init(unsupportedProtocol context: FailureContext) {
        // libcurl has one code for a URL that it can't fetch and for a response that it can't
        // parse. The text is checked too, because a response may arrive before the request was
        // sent.
        if context.isPreTransferDone || context.errorContains("http/0.9")
            || context.errorContains("response")
        {
            self.init(
                .invalidResponse,
                "the server's response isn't HTTP, or has an unsupported version",
                "Check that the port is one of an HTTP server."
            )
        } else {
            self.init(
                .unsupportedURL,
                "the URL's scheme is not supported",
                "Use http or https.",
                phase: .queued
            )
        }
    }

    private init(refusedConnect context: FailureContext) {
        if context.connectCode >= 400 {
            self.init(proxyRefusal: context)
            return
        }
        switch context.systemErrno {
        case ECONNREFUSED:
            self.init(
                .connectRefused,
                context.usesProxy
                    ? "the connection to the proxy was refused" : "the connection was refused",
                "Check that a service listens there."
            )
        case ETIMEDOUT:
            self.init(
                .connectTimeout,
                "the connection attempt got no answer",
                "Check the address, and firewalls on the way."
            )
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN:
            self.init(
                .networkUnreachable,
                "there is no route to the server",
                "Check this machine's network."
            )
        case EADDRNOTAVAIL, EADDRINUSE:
            self.init(
                .noLocalPort,
                "no local port is left for the connection",
                "Re-use connections, limit how many run at once, or widen "
                    + "net.ipv4.ip_local_port_range."
            )
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            self.init(
                .resourceExhausted,
                "no socket could be created",
                "Raise the limit of open files, or lower that of connections.",
                retry: .always
            )
        default:
            self.init(
                .connectFailed,
                "the connection couldn't be established",
                "Check the address."
            )
        }
        phase = context.usesProxy ? .proxy : .tcp
        usesErrno = true
    }

    private init(proxyFailure context: FailureContext) {
        if context.connectCode >= 400 {
            self.init(proxyRefusal: context)
        } else {
            let number = context.proxyError == 0 ? "" : " (proxy error \(context.proxyError))"
            self.init(
                .proxyFailed,
                "the handshake with the proxy failed\(number)",
                "Check the proxy's kind, address and credentials.",
                phase: .proxy
            )
        }
    }

    /// The proxy responded to CONNECT with an error. Nothing has reached the server.
    init(proxyRefusal context: FailureContext) {
        let status = context.connectCode
        self.init(
            .proxyRefused,
            "the proxy answered CONNECT with status \(status)",
            status == 407
                ? "Check the proxy's credentials." : "Check what the proxy allows.",
            phase: .proxy,
            retry: status >= 500 ? .always : .never
        )
    }

    private init(timedOut context: FailureContext) {
        switch context.phase {
        case .dns:
            self.init(
                .connectTimeout,
                "the host's name wasn't resolved in time",
                "Check the name servers."
            )
        case .tcp:
            self.init(
                .connectTimeout,
                "the connection wasn't established in time",
                "Check the address, and firewalls on the way."
            )
        case .proxy:
            self.init(
                .connectTimeout,
                "the proxy didn't establish the connection in time",
                "Check the proxy."
            )
        case .tls:
            self.init(
                .tlsTimeout,
                "the TLS handshake didn't end in time",
                "Check that the port is one of a TLS server."
            )
        default:
            if context.errorContains("too slow") {
                self.init(.idleTimeout, "too few bytes were transferred within the idle timeout")
            } else {
                self.init(
                    .deadlineExceeded,
                    "the transfer took too long",
                    "Raise the timeout if the server is slow."
                )
            }
        }
    }
}
