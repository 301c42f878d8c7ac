internal import CurlTransport
internal import TestSupport

extension HostileCase {
    /// Failures on the way to a server, and challenges to a client.
    static let ways: [HostileCase] = tls + proxies + challenges

    private static let tls: [HostileCase] = [
        HostileCase(
            "plain HTTP where TLS is expected",
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readUntilClosed],
            .tlsHandshakeFailed
        ).at(https),
        HostileCase(
            "a TLS alert",
            [.send([0x15, 3, 3, 0, 2, 2, 40]), .readUntilClosed],
            .tlsHandshakeFailed
        ).at(https),
        HostileCase(
            "a TLS record beyond its size",
            [.send([0x16, 3, 3, 0xff, 0xff]), .sendRepeating([1], times: nil)],
            .tlsHandshakeFailed
        ).at(https),
        HostileCase(
            "a close within the TLS handshake",
            [.close],
            .tlsHandshakeFailed,
            .connectionLost
        )
        .at(https),
        HostileCase(
            "a reset within the TLS handshake",
            [.reset],
            .connectionLost,
            .connectFailed,
            .tlsHandshakeFailed
        )
        .at(https),
        HostileCase(
            "silence within the TLS handshake",
            [.readUntilClosed],
            .connectTimeout,
            .tlsTimeout
        )
        .at(https).with { $0.timeouts.connect = .milliseconds(300) },
    ]

    private static let https: @Sendable (LoopbackServer) -> String = {
        "https://127.0.0.1:\($0.port)/"
    }

    private static let proxies: [HostileCase] = [
        proxy(
            "a tunnel refused with 403",
            .http,
            [.readHead, .send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"), .stall],
            .proxyRefused
        ),
        proxy(
            "a tunnel that wants credentials",
            .http,
            [
                .readHead,
                .send(
                    "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"
                ), .stall,
            ],
            .proxyRefused
        ),
        proxy(
            "a tunnel's answer that is no HTTP",
            .http,
            [.readHead, .send("hello\r\n\r\n"), .close],
            .proxyFailed,
            .invalidResponse,
            .connectionLost
        ),
        proxy(
            "a tunnel's answer without end",
            .http,
            [.readHead, .send("HTTP/1.1 200 OK\r\n"), .sendRepeating("X-A: b\r\n", times: nil)],
            .proxyFailed,
            .responseHeadTooLarge,
            .invalidResponse
        ),
        proxy(
            "a tunnel's answer with NUL in a header",
            .http,
            [.readHead, .send("HTTP/1.1 200 OK\r\nX-A: a\0b\r\n\r\n"), .stall],
            .invalidResponse
        )
        .with { $0.reportsTunnels = true },
        proxy(
            "a tunnel's answer with a header without colon",
            .http,
            [.readHead, .send("HTTP/1.1 200 OK\r\nNoColon\r\n\r\n"), .stall],
            .invalidResponse
        )
        .with { $0.reportsTunnels = true },
        proxy("a proxy that closes", .http, [.readHead, .close], .proxyFailed, .connectionLost),
        proxy("a proxy that resets", .http, [.readHead, .reset], .proxyFailed, .connectionLost),
        proxy("a proxy that is silent", .http, [.readHead, .stall], .connectTimeout)
            .with { $0.timeouts.connect = .milliseconds(300) },
        proxy(
            "a SOCKS5 proxy that speaks HTTP",
            .socks5h,
            [.send("HTTP/1.1 400 Bad\r\n\r\n"), .readUntilClosed],
            .proxyFailed
        ),
        proxy(
            "a SOCKS5 proxy that takes no method",
            .socks5h,
            [.send([5, 0xff]), .readUntilClosed],
            .proxyFailed
        ),
        proxy(
            "a SOCKS5 proxy that refuses",
            .socks5h,
            [.send([5, 0]), .send([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]), .readUntilClosed],
            .proxyFailed
        ),
        proxy(
            "a SOCKS4 proxy that refuses",
            .socks4a,
            [.send([0, 91, 0, 0, 0, 0, 0, 0]), .readUntilClosed],
            .proxyFailed
        ),
        proxy("a SOCKS5 proxy that closes", .socks5h, [.close], .proxyFailed, .connectionLost),
    ]

    private static func proxy(
        _ name: String,
        _ kind: ProxyServer.Kind,
        _ steps: [Step],
        _ codes: TransportError.Code...
    ) -> HostileCase {
        var made = HostileCase(name, steps).at { _ in "https://origin.test/" }.proxying(kind)
        made.ending = .failure(codes)
        return made
    }

    private static let challenges: [HostileCase] = [
        HostileCase(
            "a challenge to a body that comes only once",
            [
                .readHead, .readBody,
                .send(
                    "HTTP/1.1 401 Who\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\nContent-Length: 0\r\n\r\n"
                ),
                .readUntilClosed,
            ],
            .bodyNotReplayable
        )
        .uploading(
            .stream(
                AsyncStream {
                    $0.yield([1, 2, 3]); $0.finish()
                }
            )
        )
        .with { $0.authentication = .any(user: "user", password: "password") },
        HostileCase(
            "a challenge again and again",
            replies: { _ in Reply(401).header("WWW-Authenticate", "Digest realm=\"x\", nonce=\"y\"")
            },
            succeeds: 401
        ).with { $0.authentication = .digest(user: "user", password: "password") },
        HostileCase(
            "a challenge of no kind",
            replies: { _ in Reply(401).header("WWW-Authenticate", "\u{1},,,;=\"") },
            succeeds: 401
        ).with { $0.authentication = .any(user: "user", password: "password") },
        HostileCase(
            "a body that fails by itself",
            [.readHead, .readUntilClosed],
            .requestBodyFailed
        )
        .uploading(.stream(FailingBody())),
        HostileCase(
            "a body longer than announced",
            [.readHead, .readUntilClosed],
            .requestBodyFailed
        )
        .uploading(
            .stream(
                length: 2,
                AsyncStream {
                    $0.yield([1, 2, 3]); $0.finish()
                }
            )
        ),
        HostileCase(
            "a body shorter than announced",
            [.readHead, .readUntilClosed],
            .requestBodyFailed
        )
        .uploading(
            .stream(
                length: 4,
                AsyncStream {
                    $0.yield([1, 2, 3]); $0.finish()
                }
            )
        ),
    ]
}

/// A body that yields once and throws.
private struct FailingBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private var hasYielded = false

    mutating func next() async throws -> [UInt8]? {
        guard !hasYielded else { throw SupportError("the source is broken") }
        hasYielded = true
        return [1, 2, 3]
    }

    func makeAsyncIterator() -> FailingBody { self }
}
