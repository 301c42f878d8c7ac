internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Observers of a session's transfers.
@Suite(.timeLimit(.minutes(10))) struct TransferObserversTests {
    private struct Recorder: TransferObserver {
        let ends = EventRecorder<TransferEnd>()

        func transferDidEnd(_ end: TransferEnd) { ends.record(end) }
    }

    private let recorder = Recorder()

    private func session(_ configuration: URLSessionConfiguration) -> URLSession {
        configuration.transferObservers = [recorder]
        return URLSession(configuration: configuration)
    }

    @Test("Each request that a task sends has an end with its status")
    func redirectedTaskHasTwoTransfers() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/b") : .text("hello")
        }
        let session = session(.ephemeral)
        let url = try #require(URL(string: server.url + "/"))
        let (data, _) = try await session.data(from: url)
        #expect(data == Data("hello".utf8))
        let ends = recorder.ends.events
        #expect(ends.map(\.statusCode) == [302, 200])
        #expect(ends.map(\.request.path) == ["/", "/b"])
        #expect(ends.allSatisfy { $0.error == nil && $0.metrics.total > .zero })
        #expect(ends.last?.metrics.bodyBytes == 5)
        session.invalidateAndCancel()
    }

    @Test("A failed request has an end with its error")
    func failureIsObserved() async throws {
        let session = session(.ephemeral)
        let port = try LoopbackServer.unusedPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        await #expect(throws: URLError.self) { try await session.data(from: url) }
        let ends = recorder.ends.events
        #expect(ends.map(\.error?.code) == [.connectRefused])
        #expect(ends.first?.statusCode == nil)
        session.invalidateAndCancel()
    }
}
