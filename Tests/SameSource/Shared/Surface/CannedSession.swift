import Foundation

/// A session whose tasks answer by themselves.
final class CannedSession: URLSession, @unchecked Sendable {
    override func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        CannedTask(answer: Data("canned".utf8), completionHandler: completionHandler)
    }

    override func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }
}
