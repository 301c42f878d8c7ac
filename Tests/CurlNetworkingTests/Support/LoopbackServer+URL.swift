internal import CurlNetworking
internal import Foundation
internal import TestSupport

extension LoopbackServer {
    /// The URL of a path on this server, as a string.
    func at(_ path: String) -> String { url + path }
}

extension URLSession {
    /// A session with an ephemeral configuration and a long timeout for busy machines.
    static func patient() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        return URLSession(configuration: configuration)
    }
}

/// The `URLError` that the closure throws. Any other outcome throws.
func urlError(_ body: () async throws -> Void) async throws -> URLError {
    do {
        try await body()
    } catch let error as URLError {
        return error
    }
    throw CancellationError()
}
