internal import CurlTransport
internal import Foundation

/// A response as a loader has it.
enum LoadedResponse: Sendable {
    /// A head as it came over the network; a response is made of it where one is wanted.
    case head(ResponseHead)
    case response(URLResponse)

    /// As a response of `url`.
    func response(url: URL?) -> URLResponse? {
        switch self {
        case .response(let response): response
        case .head(let head): url.map { HTTPURLResponse(url: $0, head: head) }
        }
    }

    /// The status code of HTTP; `nil` for another protocol.
    var statusCode: Int? {
        switch self {
        case .response(let response): (response as? HTTPURLResponse)?.statusCode
        case .head(let head): head.statusCode
        }
    }

    /// How many bytes the content has once it is decoded; -1 where that isn't known.
    var contentLength: Int64 {
        switch self {
        case .response(let response): response.expectedContentLength
        case .head(let head): head.isEncoded ? -1 : head.contentLength ?? -1
        }
    }

    /// The value of a header field of HTTP, that of a repeated one with commas.
    func value(of field: String) -> String? {
        switch self {
        case .response(let response):
            (response as? HTTPURLResponse)?.value(forHTTPHeaderField: field)
        case .head(let head):
            ResponseHeaderFields(head)[field]
        }
    }

    /// The values of a header field of HTTP, one by one as they came.
    func values(of field: String) -> [String] {
        switch self {
        case .response(let response):
            (response as? HTTPURLResponse)?.fields.values(field) ?? []
        case .head(let head):
            head.values(of: field)
        }
    }
}
