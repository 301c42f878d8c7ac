internal import Curl
internal import CurlTransport
internal import Posix
internal import TestSupport

extension HostileCase {
    static let heads: [HostileCase] = [
        HostileCase(
            "70,000 header lines",
            head() + [
                .sendRepeating("X-A: b\r\n", times: 70_000), .send("Content-Length: 0\r\n\r\n"),
            ],
            .responseHeadTooLarge
        ),
        HostileCase(
            "a header line of 1 MB",
            head("X-Long: ") + [.sendRepeating("a", times: 1 << 20), .send("\r\n\r\n")],
            .responseHeadTooLarge
        ),
        HostileCase(
            "a header line without end",
            head("X-Long: ") + [.sendRepeating("a", times: nil)],
            .responseHeadTooLarge
        ),
        HostileCase(
            "a head without end",
            head() + [
                .sendRepeating("X-A: \(String(repeating: "b", count: 1000))\r\n", times: nil)
            ],
            .responseHeadTooLarge
        ),
        HostileCase(
            "a folded header line without end",
            head("X-A: b\r\n") + [.sendRepeating(" and more\r\n", times: nil)],
            .responseHeadTooLarge
        ),
        HostileCase(
            "a status line without end",
            head(status: "HTTP/1.1 200 ") + [.sendRepeating("a", times: nil)],
            .responseHeadTooLarge,
            .invalidResponse
        ),
        HostileCase(
            "endless 1xx responses",
            [
                .readHead,
                .sendRepeating("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", times: nil),
            ],
            .responseHeadTooLarge
        ),
        HostileCase(
            "endless 100 Continue responses without an Expect field",
            [.readHead, .sendRepeating("HTTP/1.1 100 Continue\r\n\r\n", times: nil)],
            .responseHeadTooLarge
        ),
        HostileCase(
            "101 to a request that wants no other protocol",
            [
                .readHead,
                .send(
                    "HTTP/1.1 101 Switching\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\nbytes"
                ),
                .close,
            ],
            .invalidResponse
        ),
        HostileCase(
            "NUL in a header",
            response("X-A: a\0b\r\nContent-Length: 0\r\n"),
            .invalidResponse
        ),
        HostileCase(
            "a header without colon",
            response("NoColon\r\nContent-Length: 0\r\n"),
            .invalidResponse
        ),
        HostileCase(
            "a header without name",
            response(": a\r\nContent-Length: 0\r\n"),
            .invalidResponse
        ),
        HostileCase(
            "a space before the colon",
            response("X-A : b\r\nContent-Length: 0\r\n"),
            .invalidResponse
        ),
        HostileCase(
            "a folded line before any header",
            response(" folded\r\nContent-Length: 0\r\n"),
            .invalidResponse
        ),
        bareCarriageReturn,
        HostileCase(
            "lines that end in LF alone",
            [.readHead, .send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")],
            succeeds: 200,
            "ok"
        ),
        HostileCase(
            "header bytes that are no text",
            [
                .readHead,
                .send(
                    Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [0xff, 0xfe, 0x80]
                        + Array("\r\nContent-Length: 2\r\n\r\nok".utf8)
                ),
            ],
            succeeds: 200,
            "ok"
        ),
        HostileCase("silence after the request", [.readHead, .stall], .idleTimeout)
            .with { $0.timeouts.idle = .milliseconds(200) },
        HostileCase("no first byte in time", [.readHead, .stall], .firstByteTimeout)
            .with { $0.timeouts.firstByte = .milliseconds(200) },
        HostileCase("silence within the head", head("X-A: b\r\nX-") + [.stall], .idleTimeout)
            .with { $0.timeouts.idle = .milliseconds(200) },
        HostileCase(
            "silence within the body",
            response("Content-Length: 10\r\n", "half") + [.stall],
            .idleTimeout
        ).with { $0.timeouts.idle = .milliseconds(200) },
        HostileCase(
            "an answer that never ends",
            chunked("") + [.sendRepeating("1\r\na\r\n", times: nil)],
            .deadlineExceeded
        ).with { $0.timeouts.total = .milliseconds(500) }.limited(to: 1 << 30).unbounded(),
    ]

    static let statusLines: [HostileCase] =
        [
            HostileCase(
                "the greeting of SSH",
                [.readHead, .send("SSH-2.0-OpenSSH_9.2\r\n"), .stall],
                .invalidResponse
            ),
            HostileCase(
                "the greeting of SMTP",
                [.send("220 mail.test ESMTP\r\n"), .stall],
                .invalidResponse
            ),
            HostileCase(
                "HTTP/0.9",
                [.readHead, .send("<html>hello</html>"), .close],
                .invalidResponse
            ),
            HostileCase(
                "bytes that are no HTTP",
                [
                    .readHead, .send((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
                    .stall,
                ],
                .invalidResponse
            ),
            HostileCase(
                "NULs without end",
                [.readHead, .sendRepeating([0], times: nil)],
                .invalidResponse,
                .responseHeadTooLarge
            ),
            HostileCase(
                "blank lines without end",
                [.readHead, .sendRepeating("\r\n", times: nil)],
                .invalidResponse,
                .responseHeadTooLarge
            ),
            HostileCase(
                "a TLS server's answer",
                [.readHead, .send([0x15, 3, 3, 0, 2, 2, 10]), .close],
                .invalidResponse
            ),
            HostileCase(
                "ICY 200 OK",
                [.readHead, .send("ICY 200 OK\r\n\r\n"), .close],
                .invalidResponse
            ),
            HostileCase(
                "status 999",
                [.readHead, .send("HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok")],
                succeeds: 999,
                "ok"
            ),
            HostileCase(
                "HTTP/2 in the form of HTTP/1.1",
                [.readHead, .send("HTTP/2 200\r\nContent-Length: 2\r\n\r\nok"), .close],
                succeeds: 200,
                "ok"
            ),
            // libcurl accepts the version numbers that it supports, newer versions this one always.
            CurlVersion.current.supportsHTTP3 || CurlVersion.current.isAtLeast(8, 14)
                ? HostileCase(
                    "HTTP/3 in the form of HTTP/1.1",
                    [.readHead, .send("HTTP/3 200\r\nContent-Length: 2\r\n\r\nok"), .close],
                    succeeds: 200,
                    "ok"
                )
                : HostileCase(
                    "HTTP/3 in the form of HTTP/1.1",
                    [.readHead, .send("HTTP/3 200\r\nContent-Length: 2\r\n\r\nok"), .close],
                    .invalidResponse
                ),
            HostileCase(
                "status 600 without reason",
                [.readHead, .send("HTTP/1.1 600\r\nContent-Length: 2\r\n\r\nok")],
                succeeds: 600,
                "ok"
            ),
        ]
        + [
            "HTTP/1.1 1000 Large", "HTTP/1.1 -1 Negative", "HTTP/1.1 099 Small",
            "HTTP/1.1 000 Zero", "HTTP/1.1 20 Short",
            "HTTP/1.1 abc Letters", "HTTP/1.1", "HTTP/1.1 ", "HTTP/9.9 200 OK", "HTTP/ 200 OK",
            "HTTP/1.1200 OK",
            "HTTP/3 200x", "HTTP/1.10 200 OK", "http/1.1 200 OK", " HTTP/1.1 200 OK",
        ].map { line in
            HostileCase(
                "the status line \"\(line)\"",
                [.readHead, .send("\(line)\r\nContent-Length: 2\r\n\r\nok"), .close],
                .invalidResponse
            )
        }

    /// libcurl's newer versions refuse it.
    private static let bareCarriageReturn: HostileCase = {
        let name = "a bare CR in a header"
        let steps = response("X-A: a\rX-B: b\r\nContent-Length: 2\r\n", "ok")
        return CurlVersion.current.isAtLeast(8, 22)
            ? HostileCase(name, steps, .invalidResponse)
            : HostileCase(name, steps, succeeds: 200, "ok")
    }()
}
