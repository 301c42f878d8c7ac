import CurlURLSession
import Foundation
import Synchronization

/// Changes requests before they are sent, and decides whether failed ones are retried.
protocol RequestInterceptor: Sendable {
    /// Called on the session's root queue.
    func adapt(_ urlRequest: URLRequest) throws -> URLRequest

    /// Returns after how many seconds the request is retried; `nil` if it fails.
    func retryDelay(of request: Request, dueTo error: ChainError) async -> TimeInterval?
}

/// Retries idempotent requests after failures that may be temporary.
struct RetryPolicy: RequestInterceptor {
    private static let methods: Set = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"]
    private static let statusCodes: Set = [408, 500, 502, 503, 504]

    func adapt(_ urlRequest: URLRequest) throws -> URLRequest { urlRequest }

    func retryDelay(of request: Request, dueTo error: ChainError) async -> TimeInterval? {
        let method = request.urlRequest?.httpMethod ?? "GET"
        guard request.retryCount < 2, Self.methods.contains(method) else { return nil }
        return isTemporary(error) ? 0.01 : nil
    }

    private func isTemporary(_ error: ChainError) -> Bool {
        if case .unacceptableStatus(let code) = error { return Self.statusCodes.contains(code) }
        switch error.urlError?.code {
        case .cannotConnectToHost, .cannotFindHost, .networkConnectionLost, .timedOut: return true
        default: return false
        }
    }
}

/// Adds an access token, and requests a new one when the server rejects it.
final class TokenInterceptor: RequestInterceptor {
    private struct Token: Decodable {
        let token: String
    }

    private let url: URL
    private let token: Mutex<String>

    /// - Parameter url: Where a new token is requested.
    init(token: String, url: URL) {
        self.token = Mutex(token)
        self.url = url
    }

    func adapt(_ urlRequest: URLRequest) throws -> URLRequest {
        var adapted = urlRequest
        adapted.headers["Authorization"] = "Bearer \(token.withLock { $0 })"
        return adapted
    }

    func retryDelay(of request: Request, dueTo error: ChainError) async -> TimeInterval? {
        guard case .unacceptableStatus(401) = error, request.retryCount == 0 else { return nil }
        let answer = await request.session.request(url, method: "POST").validate().completion
        guard case .success(let new) = answer.decoded(Token.self) else { return nil }
        token.withLock { $0 = new.token }
        return 0
    }
}

/// Observes a session. Called on the session's root queue.
protocol EventMonitor: Sendable {
    func receive(_ event: SessionEvent, of task: URLSessionTask?)
}

enum SessionEvent: String, Sendable {
    case challenged, completed, invalidated, measured, redirected, retried, started, waiting
}

/// Counts events by their names.
final class EventCounter: EventMonitor {
    private let counts = Mutex<[String: Int]>([:])

    func receive(_ event: SessionEvent, of task: URLSessionTask?) {
        counts.withLock { $0[event.rawValue, default: 0] += 1 }
    }

    var summary: String {
        let sorted = counts.withLock { $0 }.sorted { $0.key < $1.key }
        return sorted.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
