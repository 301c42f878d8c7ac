internal import CurlTransport
internal import TestSupport

extension HostileCase {
    /// A reset and a close at every stage of an exchange.
    static let stages: [HostileCase] = [
        // If the connection ends without an answer, the error depends on what libcurl notices
        // first.
        ended(
            "at accept",
            [],
            reset: [.connectionLost, .connectFailed],
            close: [.emptyReply, .connectionLost]
        ),
        ended("after the request", [.readHead], reset: [.connectionLost], close: [.emptyReply]),
        ended(
            "within the status line",
            [.readHead, .send("HTTP/1.1 2")],
            reset: [.connectionLost],
            close: [.emptyReply]
        ),
        ended(
            "within a header",
            head("Content-Le"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "before the end of a head without length",
            head("X-A: b\r\n"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "before the head's end",
            head("Content-Length: 5\r\n"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "after an informational head",
            [.readHead, .send("HTTP/1.1 103 Early\r\n\r\n")],
            reset: [.connectionLost],
            close: [.emptyReply, .truncatedResponse, .connectionLost]
        ),
        ended(
            "after the head",
            response("Content-Length: 5\r\n"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "within the body",
            response("Content-Length: 5\r\n", "he"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "within a body without length",
            response("", "he"),
            reset: [.connectionLost],
            close: []
        ),
        ended(
            "within a chunk's size",
            chunked("5\r\nhello\r\n1"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "within a chunk",
            chunked("5\r\nhe"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "before the last chunk",
            chunked("5\r\nhello\r\n"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "within the trailers",
            chunked("0\r\nX-T: v\r\n"),
            reset: [.connectionLost],
            close: [.truncatedResponse]
        ),
        ended(
            "while uploading",
            [.readHead, .readBodyBytes(1000)],
            body: .bytes([UInt8](repeating: 1, count: 8 << 20)),
            reset: [.connectionLost],
            close: [.connectionLost, .emptyReply]
        ),
        ended(
            "before the upload",
            [.readHead],
            body: .bytes([UInt8](repeating: 1, count: 8 << 20)),
            reset: [.connectionLost],
            close: [.connectionLost, .emptyReply]
        ),
        ended(
            "within the answer while uploading",
            head("X-A", status: "HTTP/1.1 413 Too Large"),
            body: .bytes([UInt8](repeating: 1, count: 8 << 20)),
            reset: [.connectionLost],
            close: [.connectionLost, .truncatedResponse, .invalidResponse]
        ),
    ].flatMap { $0 }

    private static func ended(
        _ stage: String,
        _ steps: [Step],
        body: RequestBody? = nil,
        reset: [TransportError.Code],
        close: [TransportError.Code]
    ) -> [HostileCase] {
        var resets = HostileCase("a reset \(stage)", steps + [.reset])
        resets.ending = .failure(reset)
        var closes = HostileCase("a close \(stage)", steps + [.close])
        closes.ending = close.isEmpty ? .success(status: 200, body: "he") : .failure(close)
        return [resets.uploading(body), closes.uploading(body)]
    }
}
