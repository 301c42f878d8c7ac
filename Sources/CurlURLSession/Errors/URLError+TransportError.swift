internal import CurlTransport
package import Foundation

extension URLError {
    /// The same failure as the URL loading system reports it.
    ///
    /// `NSUnderlyingErrorKey` leads to the transport's error, which has libcurl's number and words.
    init(_ error: TransportError, url: URL?) {
        self.init(
            URLError.Code(error),
            url: url ?? error.url.flatMap { URL(string: $0) },
            reason: error.message,
            underlying: error
        )
    }

    /// A failure that has nothing to do with the transport.
    ///
    /// - Parameters:
    ///   - url: What was to be loaded. User name and password are left out.
    ///   - reason: What was wrong and what to do about it, in English, without anything secret.
    ///   - underlying: What caused it.
    init(
        _ code: URLError.Code,
        url: URL?,
        reason: String,
        underlying: (any Error)? = nil
    ) {
        let sentence = reason.prefix(1).uppercased() + reason.dropFirst()
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: sentence,
            // What an error's description shows.
            NSLocalizedFailureReasonErrorKey: sentence,
        ]
        if let url = url?.withoutUserInfo {
            info[NSURLErrorFailingURLErrorKey] = url
            info[Self.failingURLStringKey] = url.absoluteString
        }
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        self.init(code, userInfo: info)
    }

    /// `NSURLErrorFailingURLStringErrorKey`, which is deprecated and still looked up.
    static let failingURLStringKey = "NSErrorFailingURLStringKey"
}

extension URL {
    /// The same URL without a user name and password; nil for one that can't be taken apart.
    package var withoutUserInfo: URL? {
        guard absoluteString.utf8.contains(UInt8(ascii: "@")) else { return self }
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.user = nil
        components?.password = nil
        return components?.url
    }
}
