public import HTTPTypes

/// A response: its complete head, and its body as a stream.
public struct HTTPClientResponse: Sendable {
    /// The response's head.
    public let head: ResponseHead

    /// The content.
    public let body: ResponseBody

    /// The transfer, as in ``TransportError/transferID`` and in the lines of a log.
    public let id: TransferID

    private let origin: Origin

    init(head: ResponseHead, id: TransferID, exchange: ClientExchange) {
        self.head = head
        self.id = id
        body = ResponseBody(exchange: exchange)
        origin = .transfer(exchange)
    }

    /// Creates a response, for stubs and middleware.
    ///
    /// Middleware that replaces the head or the body of a response passes its `request` and `id`
    /// on.
    ///
    /// - Parameters:
    ///   - request: the request that this answers.
    ///   - id: the transfer; by default a new identifier.
    public init(
        head: ResponseHead,
        body: ResponseBody = ResponseBody(),
        request: HTTPRequest,
        id: TransferID = TransferID()
    ) {
        self.head = head
        self.body = body
        self.id = id
        origin = .program(GivenRequest(request))
    }

    /// The status code, from 200 to 999.
    public var statusCode: Int { head.statusCode }

    /// The status code with the reason phrase, if the server sent one.
    public var status: HTTPResponse.Status { head.status }

    /// The header fields, read from the head's bytes each time.
    public var headerFields: HTTPFields { head.headerFields }

    /// The request that this response answers: the last one after redirects.
    public var request: HTTPRequest { origin.request }

    /// The URL that this response came from: the last one after redirects.
    public var url: String { request.url ?? "" }

    /// The duration of each phase, and the connection used; nil until the body has ended.
    public var metrics: TransferMetrics? { body.end?.metrics }

    /// The trailer fields (RFC 9110 section 6.5); nil before the body's end, or if there are none.
    public var trailers: HTTPFields? { body.end?.trailers }

    /// What knows the request.
    private enum Origin: Sendable {
        case transfer(ClientExchange)
        case program(GivenRequest)

        var request: HTTPRequest {
            switch self {
            case .transfer(let exchange): exchange.request
            case .program(let given): given.request
            }
        }
    }

    /// A request, stored outside of the response, which tasks keep while they wait.
    private final class GivenRequest: Sendable {
        let request: HTTPRequest

        init(_ request: HTTPRequest) {
            self.request = request
        }
    }
}
