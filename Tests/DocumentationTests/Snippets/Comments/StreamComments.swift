internal import CurlNetworking
internal import Foundation

/// What the documentation comments about streams show.
struct StreamComments: Sendable {
    let manager: HTTPSessionManager
    let print: Print

    func lines(_ request: URLRequest) async throws {
        // snippet: ResponseStream.swift/lines
        let stream = try await manager.stream(for: request)
        for try await line in stream.lines() { print(line) }
        // end
    }

    func values(_ stream: ResponseStream) async throws {
        // snippet: ResponseValues.swift/values
        for try await change in stream.values(of: Change.self) { apply(change) }
        // end
    }

    private func apply(_ change: Change) { print(change.id, change.name) }

    func events(_ request: URLRequest) async throws {
        // snippet: URLSessionManager+Streaming.swift/events
        let events = try await manager.events(for: request, reconnection: .init())
        for try await event in events { print(event.event, event.data) }
        // end
    }
}
