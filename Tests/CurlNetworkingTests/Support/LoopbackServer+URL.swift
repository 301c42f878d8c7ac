internal import CurlNetworking
internal import Foundation
internal import TestSupport

extension LoopbackServer {
    /// The URL of a path on this server, as text.
    func at(_ path: String) -> String { url + path }
}

extension URLSession {
    /// A session for a test, which keeps nothing for others and is patient on a busy machine.
    static func patient() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        return URLSession(configuration: configuration)
    }
}

/// What a task ends with, which must be a `URLError`.
func urlError(_ body: () async throws -> Void) async throws -> URLError {
    do {
        try await body()
    } catch let error as URLError {
        return error
    }
    throw CancellationError()
}
