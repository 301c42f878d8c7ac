public import HTTPTypes

/// A response: its complete head, and its body as a stream.
public struct HTTPClientResponse: Sendable {
    /// The response's head.
    public let head: ResponseHead

    /// The content.
    public let body: ResponseBody

    init(head: ResponseHead, exchange: ClientExchange) {
        self.head = head
        body = ResponseBody(exchange: exchange)
    }

    /// The status code, from 200 to 999.
    public var statusCode: Int { head.statusCode }

    /// The status code with the reason phrase, if the server sent one.
    public var status: HTTPResponse.Status { head.status }

    /// The header fields, read from the head's bytes each time.
    public var headerFields: HTTPFields { head.headerFields }

    /// The request that this response answers: the last one after redirects.
    public var request: HTTPRequest { body.exchange.request }

    /// The URL that this response came from: the last one after redirects.
    public var url: String { request.url ?? "" }

    /// The duration of each phase, and the connection used; nil until the body has ended.
    public var metrics: TransferMetrics? { body.exchange.metrics }

    /// The trailer fields (RFC 9110 section 6.5); nil before the body's end, or if there are none.
    public var trailers: HTTPFields? { body.exchange.trailers }
}
