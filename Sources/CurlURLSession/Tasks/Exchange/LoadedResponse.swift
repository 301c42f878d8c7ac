internal import CurlTransport
internal import Foundation
internal import HTTPTypes

/// A response in the form that its loader has.
enum LoadedResponse: Sendable {
    /// A head received over the network. A `URLResponse` is only created on demand.
    case head(ResponseHead)
    case response(URLResponse)
    /// A response from a cache. Clients may store responses of any protocol there.
    case cached(CachedHead)

    /// Returns a `URLResponse` for `url`.
    func response(url: URL?) -> URLResponse? {
        switch self {
        case .response(let response): response
        case .cached(let cached): cached.response
        case .head(let head): url.map { HTTPURLResponse(url: $0, head: head) }
        }
    }

    /// The HTTP status code; `nil` for other protocols.
    var statusCode: Int? {
        switch self {
        case .response(let response): (response as? HTTPURLResponse)?.statusCode
        case .cached(let cached): (cached.response as? HTTPURLResponse)?.statusCode
        case .head(let head): head.statusCode
        }
    }

    /// The length of the decoded body in bytes; -1 if unknown.
    var contentLength: Int64 {
        switch self {
        case .response(let response): response.expectedContentLength
        case .cached(let cached): cached.response.expectedContentLength
        case .head(let head): head.isEncoded ? -1 : head.contentLength ?? -1
        }
    }

    /// The length of the encoded body in bytes; -1 if unknown. `nil` if the body isn't encoded.
    var encodedContentLength: Int64? {
        guard case .head(let head) = self, head.isEncoded else { return nil }
        return head.contentLength ?? -1
    }

    /// The value of an HTTP header field. Repeated fields are joined with commas.
    func value(of field: String) -> String? {
        switch self {
        case .response(let response):
            (response as? HTTPURLResponse)?.value(forHTTPHeaderField: field)
        case .cached(let cached):
            (cached.response as? HTTPURLResponse)?.value(forHTTPHeaderField: field)
        case .head(let head):
            ResponseHeaderFields(head)[field]
        }
    }

    /// The values of an HTTP header field, in the order received.
    func values(of field: String) -> [String] {
        switch self {
        case .response(let response):
            (response as? HTTPURLResponse)?.fields.values(field) ?? []
        case .cached(let cached):
            (cached.response as? HTTPURLResponse)?.fields.values(field) ?? []
        case .head(let head):
            head.values(of: field)
        }
    }

    /// The head that the server has just sent. `nil` if the server wasn't asked.
    var receivedHead: ResponseHead? {
        switch self {
        case .response: nil
        case .cached(let cached): cached.confirmation
        case .head(let head): head
        }
    }

    /// The bytes of the `Location` field, as the server sent them.
    var location: [UInt8]? {
        switch self {
        case .response: nil
        case .cached: values(of: "Location").first.map { Array($0.utf8) }
        case .head(let head): head.firstValueBytes(of: .location)
        }
    }
}

/// A cached response without its body.
struct CachedHead: Sendable {
    let response: URLResponse
    /// The origin's answer to a conditional request.
    ///
    /// It says that the stored response is still valid, or that the origin can't tell. `nil` if the
    /// origin wasn't asked.
    var confirmation: ResponseHead?
}
