internal import Foundation
internal import TestSupport

@testable internal import CurlNetworking

/// A call of a test's interceptor.
enum Asked: Equatable, Sendable {
    case adapt(String, retryCount: Int)
    case retry(String, retryCount: Int)
}

/// Records its calls, and always returns the same result.
struct ScriptedInterceptor: RequestInterceptor {
    let name: String
    let asked: EventRecorder<Asked>
    var field: String?
    var result: RetryResult = .doNotRetry

    func adapt(
        _ request: URLRequest,
        for attempt: RequestAttempt
    ) async throws -> URLRequest {
        asked.record(.adapt(name, retryCount: attempt.retryCount))
        guard let field else { return request }
        var request = request
        let former = request.value(forHTTPHeaderField: field).map { $0 + "," } ?? ""
        request.setValue(former + name, forHTTPHeaderField: field)
        return request
    }

    func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult {
        asked.record(.retry(name, retryCount: attempt.retryCount))
        return result
    }
}

extension Retrier {
    /// Retries up to `limit` times, `delay` seconds after each failure.
    static func times(_ limit: Int, after delay: TimeInterval = 0) -> Retrier {
        Retrier { attempt, _ in
            attempt.retryCount < limit ? .retryWithDelay(delay) : .doNotRetry
        }
    }
}

/// Returns the replies of each path in order, and repeats the last one.
final class Replies: Sendable {
    private let replies: [Reply]
    private let counts = Watched<[String: Int]>([:])

    init(_ replies: [Reply]) {
        self.replies = replies
    }

    func next(_ request: RecordedRequest) -> Reply {
        let number = counts.update { counts in
            defer { counts[request.path, default: 0] += 1 }
            return counts[request.path, default: 0]
        }
        return replies[min(number, replies.count - 1)]
    }
}

extension LoopbackServer {
    static func replying(_ replies: Reply...) throws -> LoopbackServer {
        let replies = Replies(replies)
        return try LoopbackServer { replies.next($0) }
    }
}

extension URLSessionManager {
    /// Returns a manager whose tasks fail for status codes of 400 and above.
    static func strict(
        _ interceptor: (any RequestInterceptor)? = nil,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSessionManager {
        let manager = URLSessionManager.test(configure)
        manager.responseSerializer = ScriptedSerializer { response, data in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            return (data, status < 400 ? nil : Refusal(status: status))
        }
        manager.interceptor = interceptor
        return manager
    }
}

extension Reply {
    /// The first half of “helloworld”, followed by a connection reset.
    static let half = Reply.steps([
        .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nhello"), .reset,
    ])

    /// The second half of “helloworld”.
    static let rest = Reply(
        206,
        headers: [("ETag", "\"1\""), ("Content-Range", "bytes 5-9/10")],
        body: .bytes(Array("world".utf8))
    )

    /// The start of a body of 100 bytes, followed by a connection reset.
    static let broken = Reply.steps([
        .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabandoned"), .reset,
    ])
}
