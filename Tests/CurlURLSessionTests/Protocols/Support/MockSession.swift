import CurlURLSession
import Foundation
import TestSupport

/// A session whose requests are asked of some classes first. It is invalidated when it isn't needed
/// any more.
final class MockSession: Sendable {
    let session: URLSession

    init(
        _ classes: [AnyClass] = [ScriptedMock.self],
        delegate: (any URLSessionDelegate)? = nil,
        change: (URLSessionConfiguration) -> Void = { _ in }
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = classes
        // A busy machine takes its time.
        configuration.timeoutIntervalForRequest = 300
        change(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// The text that a URL has, and its response.
    func text(_ url: URL) async throws -> (String, URLResponse) {
        let (data, response) = try await session.data(from: url)
        return (String(decoding: data, as: UTF8.self), response)
    }

    func text(_ request: URLRequest) async throws -> (String, URLResponse) {
        let (data, response) = try await session.data(for: request)
        return (String(decoding: data, as: UTF8.self), response)
    }

    /// What a completion handler is given.
    struct Completion: Sendable {
        let data: Data?
        let response: URLResponse?
        let error: (any Error)?
    }

    func complete(_ request: URLRequest) async -> Completion {
        // By way of a lock: that a continuation hands on what it is resumed with, the thread sanitizer
        // doesn't see.
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
