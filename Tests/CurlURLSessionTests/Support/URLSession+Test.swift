internal import CurlURLSession
internal import Foundation
internal import TestSupport

extension URLSession {
    /// An ephemeral session whose request timeout of 300 s suits a busy machine.
    static func test(
        delegate: (any URLSessionDelegate)? = nil,
        queue: OperationQueue? = nil,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        configure(configuration)
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}

extension LoopbackServer {
    /// The URL of a path on this server.
    func at(_ path: String) throws -> URL {
        guard let url = URL(string: url + path) else { throw URLError(.badURL) }
        return url
    }
}

/// Returns the `URLError` that `body` throws, and rethrows other errors.
func urlError(_ body: () async throws -> Void) async throws -> URLError {
    do {
        try await body()
    } catch let error as URLError {
        return error
    }
    throw UnexpectedSuccess()
}

/// Waits until a handler is called, and returns its argument.
func awaitHandler<Value: Sendable>(
    _ start: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    await withCheckedContinuation { continuation in
        start { continuation.resume(returning: $0) }
    }
}
