internal import ContentCoding
internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// The default headers of a request.
@Suite(.timeLimit(.minutes(10))) struct DefaultHeaderTests {
    @Test("A-07: A request has default headers for the client, its languages and its encodings")
    func requestHasDefaultHeaders() async throws {
        let asked = EventRecorder<RecordedRequest>()
        let server = try LoopbackServer { request in
            asked.record(request)
            return .text("")
        }
        _ = try await HTTPSessionManager.forTest(server.url).get("/")
        let request = try await asked.first { _ in true }
        #expect(request.header("Accept-Encoding") == ContentCoding.accepted)
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(request.header("Accept-Language")?.contains(";q=1") == true)
        #expect(request.header("User-Agent")?.contains("(Linux ") == true)
        for name in ["Accept", "Accept-Encoding", "Accept-Language", "User-Agent"] {
            #expect(request.headers(name).count == 1, "\(name)")
        }
    }

    @Test("A-07: An accepted encoding is decoded")
    func acceptedEncodingIsDecoded() async throws {
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

    @Test("A-07: A request's own headers replace the default headers")
    func requestHeadersReplaceDefaults() async throws {
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
