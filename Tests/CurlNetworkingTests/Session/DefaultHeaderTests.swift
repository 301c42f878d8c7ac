internal import Curl
internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// What every request says that nobody has told what to say.
@Suite(.timeLimit(.minutes(10))) struct DefaultHeaderTests {
    @Test("A-07: A request says who asks, in what language, and what can be decoded")
    func aRequestSaysWhoAsks() async throws {
        let asked = EventRecorder<RecordedRequest>()
        let server = try LoopbackServer { request in
            asked.record(request)
            return .text("")
        }
        _ = try await HTTPSessionManager.forTest(server.url).get("/")
        let request = try await asked.first { _ in true }
        #expect(request.header("Accept-Encoding") == CurlVersion.current.contentCodings)
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(request.header("Accept-Language")?.contains(";q=1") == true)
        #expect(request.header("User-Agent")?.contains("(Linux ") == true)
        for name in ["Accept", "Accept-Encoding", "Accept-Language", "User-Agent"] {
            #expect(request.headers(name).count == 1, "\(name)")
        }
    }

    @Test("A-07: What was announced is decoded")
    func whatWasAnnouncedIsDecoded() async throws {
        let compressed: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0,
            0,
            0,
        ]
        let server = try LoopbackServer { _ in
            .bytes(compressed).header("Content-Encoding", "gzip")
        }
        let data = try await HTTPSessionManager.forTest(server.url).get("/") as? Data
        #expect(data == Data("hello".utf8))
    }

    @Test("A-07: A request's own headers take the place of the usual ones")
    func aRequestsOwnHeadersTakeTheirPlace() async throws {
        let asked = EventRecorder<RecordedRequest>()
        let server = try LoopbackServer { request in
            asked.record(request)
            return .text("")
        }
        let headers: HTTPHeaders = ["accept-encoding": "identity", "user-agent": "tool/1"]
        try await HTTPSessionManager.forTest(server.url).head("/", headers: headers)
        let request = try await asked.first { _ in true }
        #expect(request.headers("Accept-Encoding") == ["identity"])
        #expect(request.headers("User-Agent") == ["tool/1"])
    }
}
