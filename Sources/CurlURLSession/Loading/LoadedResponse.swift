internal import CurlTransport
internal import Foundation
internal import HTTPTypes

/// A response as a loader has it.
enum LoadedResponse: Sendable {
    /// A head as it came over the network; a response is made of it where one is wanted.
    case head(ResponseHead)
    case response(URLResponse)
    /// What a cache has of HTTP, or of whatever else somebody stored there.
    case cached(CachedHead)

    /// As a response of `url`.
    func response(url: URL?) -> URLResponse? {
        switch self {
        case .response(let response): response
        case .cached(let cached): cached.response
        case .head(let head): url.map { HTTPURLResponse(url: $0, head: head) }
        }
    }

    /// The status code of HTTP; `nil` for another protocol.
    var statusCode: Int? {
        switch self {
        case .response(let response): (response as? HTTPURLResponse)?.statusCode
        case .cached(let cached): (cached.response as? HTTPURLResponse)?.statusCode
        case .head(let head): head.statusCode
        }
    }

    /// How many bytes the content has once it is decoded; -1 where that isn't known.
    var contentLength: Int64 {
        switch self {
        case .response(let response): response.expectedContentLength
        case .cached(let cached): cached.response.expectedContentLength
        case .head(let head): head.isEncoded ? -1 : head.contentLength ?? -1
        }
    }

    /// How many bytes the content has over the connection, where it is decoded: -1 where that isn't known;
    /// `nil` where it isn't decoded.
    var encodedContentLength: Int64? {
        guard case .head(let head) = self, head.isEncoded else { return nil }
        return head.contentLength ?? -1
    }

    /// The value of a header field of HTTP, that of a repeated one with commas.
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

    /// The values of a header field of HTTP, one by one as they came.
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

    /// What the server has just sent; `nil` where it wasn't asked.
    var receivedHead: ResponseHead? {
        switch self {
        case .response: nil
        case .cached(let cached): cached.confirmation
        case .head(let head): head
        }
    }

    /// Where a redirect leads, as the server wrote it.
    var location: [UInt8]? {
        switch self {
        case .response: nil
        case .cached: values(of: "Location").first.map { Array($0.utf8) }
        case .head(let head): head.firstValueBytes(of: .location)
        }
    }
}
