internal import Curl
internal import CurlTransport
internal import Posix
internal import TestSupport

extension HostileCase {
    static let lengths: [HostileCase] = [
        HostileCase(
            "a body shorter than promised",
            response("Content-Length: 100\r\n", "short") + [.close],
            .truncatedResponse
        ),
        HostileCase(
            "a body longer than promised",
            response("Content-Length: 5\r\n", "hello world") + [.close],
            succeeds: 200,
            "hello"
        ),
        HostileCase(
            "two lengths that differ",
            response("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "a list of lengths that differ",
            response("Content-Length: 5, 6\r\n", "hello!") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "the same length twice",
            response("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"),
            succeeds: 200,
            "hello"
        ),
        HostileCase(
            "a negative length",
            response("Content-Length: -5\r\n", "hello") + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a length with a sign",
            response("Content-Length: +5\r\n", "hello") + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a length that is no number",
            response("Content-Length: five\r\n", "hello") + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a length with letters behind",
            response("Content-Length: 5x\r\n", "hello") + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a length in hexadecimal",
            response("Content-Length: 0x5\r\n", "hello") + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a length beyond 64 bits",
            response("Content-Length: 99999999999999999999\r\n", "hello") + [.close],
            .invalidResponse
        ),
        // The server sends nothing more. Only the announced length can end the transfer or, for a
        // reader without a limit, the end of the connection.
        HostileCase(
            "the largest length of 63 bits",
            response("Content-Length: 9223372036854775807\r\n", "hello") + [.stall],
            .responseTooLarge
        ),
        HostileCase(
            "the largest length of 63 bits, to a reader without a limit",
            response("Content-Length: 9223372036854775807\r\n", "hello") + [.close],
            .truncatedResponse
        ).limited(to: .max),
        HostileCase(
            "a length beside chunks",
            response(
                "Content-Length: 100\r\nTransfer-Encoding: chunked\r\n",
                "5\r\nhello\r\n0\r\n\r\n"
            ),
            succeeds: 200,
            "hello"
        ),
        HostileCase(
            "an unknown transfer coding",
            response("Transfer-Encoding: rot13\r\n", "hello") + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a transfer coding that wasn't asked for",
            response("Transfer-Encoding: gzip, chunked\r\n", "5\r\nhello\r\n0\r\n\r\n")
                + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a transfer coding in a folded line",
            response(
                "Transfer-Encoding: chunked\r\n , gzip\r\n",
                "5\r\nhello\r\n0\r\n\r\n"
            ) + [.close],
            .invalidResponse
        ),
        // libcurl 8.14 and later refuses even `identity` after `chunked`.
        CurlVersion.current.isAtLeast(8, 14)
            ? HostileCase(
                "chunks, named twice in capitals",
                response(
                    "Transfer-Encoding: Chunked ,\tIDENTITY\r\n",
                    "5\r\nhello\r\n0\r\n\r\n"
                ),
                .invalidResponse
            )
            : HostileCase(
                "chunks, named twice in capitals",
                response(
                    "Transfer-Encoding: Chunked ,\tIDENTITY\r\n",
                    "5\r\nhello\r\n0\r\n\r\n"
                ),
                succeeds: 200,
                "hello"
            ),
        HostileCase(
            "204 with a body",
            [.readHead, .send("HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nhello"), .close],
            succeeds: 204
        ),
        HostileCase(
            "a body beyond the limit",
            response("Content-Length: 100\r\n", String(repeating: "a", count: 100)),
            .responseTooLarge
        ).limited(to: 99),
        HostileCase(
            "a body without end",
            response("") + [.sendRepeating("a", times: nil)],
            .responseTooLarge
        ),
        HostileCase(
            "a chunked body without end",
            chunked("") + [.sendRepeating("5\r\nhello\r\n", times: nil)],
            .responseTooLarge
        ),
    ]

    static let chunks: [HostileCase] = [
        HostileCase(
            "a chunk size that is no number",
            chunked("zz\r\nhello\r\n0\r\n\r\n") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "a negative chunk size",
            chunked("-5\r\nhello\r\n0\r\n\r\n") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "a chunk size beyond 64 bits",
            chunked("FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "a chunk size of 64 bits",
            chunked("FFFFFFFFFFFFFFFF\r\nhello") + [.close],
            .invalidResponse
        ),
        HostileCase(
            "a chunk size larger than its bytes",
            chunked("7FFFFFFFFFFFFFFF\r\nhello") + [.close],
            .truncatedResponse
        ),
        HostileCase(
            "a chunk size without end",
            chunked("") + [.sendRepeating("0", times: nil)],
            .invalidResponse
        ),
        HostileCase(
            "no line end behind a chunk",
            chunked("5\r\nhelloXX0\r\n\r\n") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "a chunk longer than its size",
            chunked("3\r\nhello\r\n0\r\n\r\n") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "a chunk extension without end",
            chunked("5;") + [.sendRepeating("a", times: nil)],
            .idleTimeout,
            .invalidResponse
        )
        .with { $0.timeouts.idle = .milliseconds(300) }.unbounded(),
        HostileCase("no last chunk", chunked("5\r\nhello\r\n") + [.close], .truncatedResponse),
        HostileCase(
            "6,000 trailers",
            chunked("5\r\nhello\r\n0\r\n") + [
                .sendRepeating("X-T: v\r\n", times: 6000), .send("\r\n"), .stall,
            ],
            .responseHeadTooLarge
        ),
        HostileCase(
            "trailers without end",
            chunked("0\r\n") + [.sendRepeating("X-T: v\r\n", times: nil)],
            .responseHeadTooLarge
        ),
        HostileCase(
            "a trailer line without end",
            chunked("0\r\nX-T: ") + [.sendRepeating("v", times: nil)],
            .responseHeadTooLarge,
            .invalidResponse
        ),
        HostileCase(
            "a trailer without colon",
            chunked("0\r\nNoColon\r\n\r\n") + [.stall],
            .invalidResponse
        ),
        HostileCase(
            "a second response among the trailers",
            chunked("0\r\nHTTP/1.1 200 OK\r\nX: y\r\n\r\n") + [.stall],
            .invalidResponse
        ),
    ]

    static let codings: [HostileCase] = [
        HostileCase(
            "gzip that is cut off and has no length",
            gzip(Array(Bomb.gzip.start.prefix(20)), closes: true),
            .truncatedResponse
        ),
        HostileCase(
            "gzip that is cut off and has its length",
            gzip(Array(hello().dropLast())),
            .truncatedResponse
        ),
        HostileCase(
            "gzip with a wrong check sum",
            gzip(hello(checkSum: [1, 2, 3, 4])),
            .decodingFailed
        ),
        HostileCase(
            "gzip that is none",
            gzip(Array("hello, this is plain text".utf8)),
            .decodingFailed
        ),
        HostileCase(
            "garbage behind gzip",
            gzip(hello() + Array(repeating: 7, count: 100)),
            .decodingFailed
        ),
        HostileCase(
            "an unknown content coding",
            response("Content-Encoding: rot13\r\nContent-Length: 5\r\n", "hello"),
            .decodingFailed
        ),
        HostileCase(
            "content codings by the dozen",
            response(
                "Content-Encoding: \(repeatElement("gzip", count: 12).joined(separator: ", "))\r\nContent-Length: 5\r\n",
                "hello"
            ),
            .decodingFailed
        ),
        HostileCase("a gzip bomb", [.readHead] + Bomb.gzip.steps, .responseTooLarge),
        HostileCase("a gzip bomb within gzip", [.readHead] + Bomb.nested.steps, .responseTooLarge),
        HostileCase("a Brotli bomb", [.readHead] + Bomb.brotli.steps, .responseTooLarge),
        HostileCase("a Zstandard bomb", [.readHead] + Bomb.zstandard.steps, .responseTooLarge),
    ]

    /// A gzip response; `closes` leaves out its length and closes the connection.
    private static func gzip(_ bytes: [UInt8], closes: Bool = false) -> [Step] {
        let length = closes ? "" : "Content-Length: \(bytes.count)\r\n"
        return response("Content-Encoding: gzip\r\n\(length)") + [
            .send(bytes), closes ? .close : .stall,
        ]
    }

    /// A gzip member with `hello` in a stored block. By default its checksum is right.
    private static func hello(checkSum: [UInt8] = [0x86, 0xa6, 0x10, 0x36]) -> [UInt8] {
        let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
        return header + [1, 5, 0, 0xfa, 0xff] + Array("hello".utf8) + checkSum + [5, 0, 0, 0]
    }

    /// The case, for an endless server that may be read without limit.
    func unbounded() -> HostileCase {
        var other = self
        other.maximumBytesSent = .max
        return other
    }
}
