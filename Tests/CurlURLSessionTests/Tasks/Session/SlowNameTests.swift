internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests host names whose lookup takes long.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SlowNameTests {
    private let names = NameService.sessions

    private func url(_ host: String, _ server: LoopbackServer) throws -> URL {
        try #require(URL(string: "http://\(host).\(names.domain):\(server.port)/"))
    }

    @Test("A8: A slow name lookup doesn't delay other sessions")
    func slowLookupDoesNotDelayOtherSessions() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let (slow, other) = (URLSession.test(), URLSession.test())
        let (slowURL, url) = (try url("slow", server), try server.at("/"))
        try await names.hold {
            let task = Task { try await slow.data(from: slowURL).0.count }
            try await names.lookups(1)
            // If these requests waited for the lookup, they would not return.
            for session in [other, slow, other] {
                #expect(try await session.data(from: url).0.count == 5)
            }
            names.release()
            #expect(try await task.value == 5)
        }
        slow.invalidateAndCancel()
        other.invalidateAndCancel()
    }

    @Test("A8: A task times out while its host name is being looked up")
    func taskTimesOutDuringNameLookup() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let session = URLSession.test { $0.timeoutIntervalForResource = 0.2 }
        let url = try url("never", server)
        try await names.hold {
            let error = try await urlError { _ = try await session.data(from: url) }
            #expect(error.code == .timedOut)
        }
        session.invalidateAndCancel()
    }

    @Test("A8: A task can be cancelled while its host name is being looked up")
    func taskCanBeCancelledDuringNameLookup() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let session = URLSession.test()
        let url = try url("cancelled", server)
        try await names.hold {
            let task = Task { try await session.data(from: url).0.count }
            try await names.lookups(1)
            task.cancel()
            let error = try await urlError { _ = try await task.value }
            #expect(error.code == .cancelled)
        }
        session.invalidateAndCancel()
    }
}
