internal import CurlTransport
internal import Foundation

extension HTTPURLResponse {
    /// The response to a request for `url` that has this head.
    convenience init(url: URL, head: ResponseHead) {
        self.init(url: url, statusCode: head.statusCode, fields: ResponseHeaderFields(head))
    }
}
