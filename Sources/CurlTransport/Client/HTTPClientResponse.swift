public import HTTPTypes

/// A response: its head at once, its body as it comes.
public struct HTTPClientResponse: Sendable {
    /// The head as it came.
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

    /// The request that this is the response to: the last one, where there were redirects.
    public var request: HTTPRequest { body.exchange.request }

    /// The URL that this is the response of: the last one, where there were redirects.
    public var url: String { request.url ?? "" }

    /// How long each phase took, and over which connection; nil until the body has ended.
    public var metrics: TransferMetrics? { body.exchange.metrics }

    /// The fields after the body (RFC 9110 section 6.5); nil until it has ended, or without any.
    public var trailers: HTTPFields? { body.exchange.trailers }
}
