import CurlURLSession
import Foundation
import TestSupport

/// A session with protocol classes, which is invalidated when it is deallocated.
final class MockSession: Sendable {
    let session: URLSession

    init(
        _ classes: [AnyClass] = [ScriptedMock.self],
        delegate: (any URLSessionDelegate)? = nil,
        change: (URLSessionConfiguration) -> Void = { _ in }
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = classes
        // A busy machine may be slow.
        configuration.timeoutIntervalForRequest = 300
        change(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// The body of a URL as text, and its response.
    func text(_ url: URL) async throws -> (String, URLResponse) {
        let (data, response) = try await session.data(from: url)
        return (String(decoding: data, as: UTF8.self), response)
    }

    func text(_ request: URLRequest) async throws -> (String, URLResponse) {
        let (data, response) = try await session.data(for: request)
        return (String(decoding: data, as: UTF8.self), response)
    }

    /// The arguments of a completion handler.
    struct Completion: Sendable {
        let data: Data?
        let response: URLResponse?
        let error: (any Error)?
    }

    func complete(_ request: URLRequest) async -> Completion {
        // The result is passed through a lock, because the thread sanitizer doesn't recognise that
        // a continuation passes on its value.
        let completions = EventRecorder<Completion>()
        await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { data, response, error in
                completions.record(Completion(data: data, response: response, error: error))
                continuation.resume()
            }
            task.resume()
        }
        return completions.events[0]
    }
}
