public import CurlTransport
public import HTTPTypes

/// A request as a stub received it, with its collected body.
public struct StubRequest: Sendable {
    /// The number of requests that the stub received before.
    public let number: Int

    /// Method, URL and fields.
    public let request: HTTPRequest

    /// The content. Bytes beyond the stub's limit fail the request, so this is always complete.
    public let body: [UInt8]

    /// Options, deadline, name and idempotency.
    public let context: RequestContext

    /// The method.
    public var method: HTTPRequest.Method { request.method }

    /// The whole URL.
    public var url: String { request.url ?? "" }

    /// The path without the query.
    public var path: String { String((request.path ?? "/").prefix { $0 != "?" }) }

    /// The query without the question mark; nil if there is none.
    public var query: String? {
        let path = request.path ?? "/"
        return path.firstIndex(of: "?").map { String(path[path.index(after: $0)...]) }
    }

    /// The header fields.
    public var headerFields: HTTPFields { request.headerFields }

    /// The content as text. Bytes that aren't UTF-8 are replaced.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }
}
