public import CurlTransport
public import HTTPTypes

/// A stub's answer: a response or a failure, at once or after delays.
public struct StubReply: Sendable {
    /// The status.
    public var status: HTTPResponse.Status

    /// The header fields. A missing `Content-Length` is added.
    public var headerFields: HTTPFields

    /// The content, in the chunks in which a reader gets it.
    public var chunks: [[UInt8]]

    /// The trailer fields.
    public var trailers: HTTPFields?

    /// The HTTP version of the response: `1.0`, `1.1`, `2` or `3`. Default: `1.1`.
    public var httpVersion = "1.1"

    /// The time before the head, or before the failure. Default: none.
    public var delay = Duration.zero

    /// The time before each chunk. Default: none.
    public var chunkDelay = Duration.zero

    /// Held back until this gate is open; nil for no gate.
    public var gate: Gate?

    /// The measurements of the transfer; nil for the stub's own, which have the sizes and the total
    /// duration.
    public var metrics: TransferMetrics?

    /// Why the transfer fails; nil if it succeeds.
    public var failure: TransportError?

    /// The number of chunks before the failure; nil to fail before the head.
    public var chunksBeforeFailure: Int?

    /// Whether a missing `Content-Length` is added. A recorded response stays as it is.
    var addsContentLength = true

    /// Creates a response.
    public init(
        _ status: HTTPResponse.Status = .ok,
        headerFields: HTTPFields = HTTPFields(),
        chunks: [[UInt8]] = [],
        trailers: HTTPFields? = nil
    ) {
        self.status = status
        self.headerFields = headerFields
        self.chunks = chunks
        self.trailers = trailers
    }

    /// A response without content.
    public static func status(_ status: HTTPResponse.Status) -> StubReply {
        StubReply(status)
    }

    /// A response with text, of the type `text/plain` in UTF-8.
    public static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok
    ) -> StubReply {
        StubReply(status, chunks: [Array(text.utf8)])
            .field(.contentType, "text/plain; charset=utf-8")
    }

    /// A response with a text in JSON, which isn't checked.
    public static func json(
        _ json: String,
        status: HTTPResponse.Status = .ok
    ) -> StubReply {
        StubReply(status, chunks: [Array(json.utf8)]).field(.contentType, "application/json")
    }

    /// A response with bytes.
    public static func bytes(
        _ bytes: [UInt8],
        status: HTTPResponse.Status = .ok
    ) -> StubReply {
        StubReply(status, chunks: [bytes])
    }

    /// A response with content in chunks, and with trailer fields.
    public static func chunks(
        _ chunks: [[UInt8]],
        trailers: HTTPFields? = nil
    ) -> StubReply {
        StubReply(chunks: chunks, trailers: trailers)
    }

    /// A failure before the response.
    public static func failure(_ code: TransportError.Code) -> StubReply {
        failure(TransportError(code, message: "the stub failed with \(code)."))
    }

    /// A failure before the response.
    public static func failure(_ error: TransportError) -> StubReply {
        var reply = StubReply()
        reply.failure = error
        return reply
    }

    /// This reply with a header field, instead of those of the same name.
    public func field(_ name: HTTPField.Name, _ value: String) -> StubReply {
        var reply = self
        reply.headerFields[name] = value
        return reply
    }

    /// This reply after a time. A request's deadline or its cancellation ends the wait.
    public func delayed(by delay: Duration, eachChunkBy chunkDelay: Duration = .zero) -> StubReply {
        var reply = self
        (reply.delay, reply.chunkDelay) = (delay, chunkDelay)
        return reply
    }

    /// This reply when a gate opens. A request's deadline or its cancellation ends the wait.
    public func waiting(for gate: Gate) -> StubReply {
        var reply = self
        reply.gate = gate
        return reply
    }

    /// This response, which fails after a number of chunks.
    public func failing(_ code: TransportError.Code, afterChunks count: Int) -> StubReply {
        var reply = self
        reply.failure = TransportError(
            code,
            phase: .receiving,
            message: "the stub failed with \(code) after \(count) chunks."
        )
        reply.chunksBeforeFailure = Swift.max(0, count)
        return reply
    }

    /// Whether all of the content is there with the head.
    var isImmediate: Bool {
        failure == nil && chunkDelay == .zero && byteCount <= 512 * 1024
    }

    var byteCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// The head of the response.
    var head: ResponseHead {
        var fields = headerFields
        let hasContent = status.code >= 200 && status.code != 204 && status.code != 304
        if addsContentLength, hasContent, trailers == nil, fields[.contentLength] == nil,
            fields[.transferEncoding] == nil
        {
            fields[.contentLength] = String(byteCount)
        }
        return ResponseHead(status: status, headerFields: fields, httpVersion: httpVersion)
    }
}
