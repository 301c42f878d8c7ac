internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// httpbin's responses, as a manager processes them.
@Suite(.enabled(if: HTTPBinPeer.isAvailable), .timeLimit(.minutes(10)))
struct HTTPBinResponseTests {
    @Test(arguments: [400, 404, 409, 418, 429, 500, 503])
    func badStatusIsAFailure(_ status: Int) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("status/\(status)")
        }
        let bridged = error as NSError
        #expect(bridged.domain == URLResponseSerializationErrorDomain)
        #expect(bridged.code == URLError.badServerResponse.rawValue)
        #expect(NetworkingError(error).responseCode == status)
        #expect(NetworkingError(error).kind == .unacceptableStatusCode(status))
    }

    @Test(arguments: [200, 201, 202, 204])
    func goodStatusIsASuccess(_ status: Int) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.responseSerializer = HTTPResponseSerializer()
        #expect(try await manager.get("status/\(status)") as? Data == Data())
    }

    @Test(arguments: ["gzip", "deflate", "brotli"])
    func compressedBodiesAreDecoded(_ coding: String) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let answer = try await manager.get(coding)
        let tree = try #require(answer as? [String: any Sendable])
        let key = ["gzip": "gzipped", "deflate": "deflated"][coding] ?? coding
        #expect(tree[key] as? Bool == true)
    }

    @Test func unacceptableMediaTypeIsAFailure() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let error = try await #require(throws: (any Error).self) { try await manager.get("html") }
        #expect((error as NSError).code == URLError.cannotDecodeContentData.rawValue)
        #expect(error.localizedDescription.contains("text/html"))
        #expect(NetworkingError(error).responseContentType == "text/html")
    }

    @Test func textIsDecoded() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        manager.responseSerializer = StringResponseSerializer()
        let text = try #require(try await manager.get("html") as? String)
        #expect(text.contains("Herman Melville - Moby-Dick"))
        #expect(try await manager.get("base64/5pel5pys") as? String == "日本")
        let lines = try #require(try await manager.get("stream/7") as? String)
        #expect(lines.split(separator: "\n").count == 7)
    }

    @Test(arguments: ["png", "jpeg", "webp"])
    func imagesAreReturnedAsData(_ kind: String) async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let serializer = ImageResponseSerializer()
        manager.responseSerializer = serializer
        serializer.acceptableContentTypes?.insert("image/webp")
        let image = try #require(try await manager.get("image/\(kind)") as? Data)
        let signatures: [String: [UInt8]] = [
            "png": [0x89, 0x50, 0x4E, 0x47], "jpeg": [0xFF, 0xD8, 0xFF],
            "webp": Array("RIFF".utf8),
        ]
        #expect(image.starts(with: try #require(signatures[kind])))
        await #expect(throws: (any Error).self) { try await manager.get("html") }
    }

    @Test func responseHeadersAreAvailable() async throws {
        let manager = try await HTTPBinPeer.shared().manager()
        let ends = EventRecorder<VerbOutcome>()
        manager.get(
            "response-headers",
            parameters: ["X-Trace": "4711", "Content-Language": "de"],
            success: ends.success,
            failure: ends.failure
        )
        let end = try await ends.only()
        let response = try #require(end.task?.response as? HTTPURLResponse)
        #expect(response.value(forHTTPHeaderField: "x-trace") == "4711")
        #expect(response.value(forHTTPHeaderField: "Content-Language") == "de")
    }

    /// Concurrent requests with the same seed would share its random bytes, so this test starts its
    /// own peer.
    @Test func bytesAreReceivedUnchanged() async throws {
        let httpbin = try await HTTPBinPeer.start()
        defer { httpbin.stop() }
        let manager = httpbin.manager()
        manager.responseSerializer = HTTPResponseSerializer()
        let whole = try #require(
            try await manager.get("bytes/50000", parameters: ["seed": 4]) as? Data
        )
        let streamed = try #require(
            try await manager.get(
                "stream-bytes/50000",
                parameters: ["seed": 4, "chunk_size": 777]
            ) as? Data
        )
        #expect(whole.count == 50_000)
        // Describing the difference between two long values takes minutes.
        let isSame = streamed == whole
        #expect(isSame, "\(streamed.count) bytes in chunks")
        let dripped = try await manager.get("drip", parameters: ["numbytes": 9, "duration": 0])
        #expect(dripped as? Data == Data("*********".utf8))
    }

    @Test func rangeRequestReturnsOnlyTheRange() async throws {
        let manager = try await HTTPBinPeer.shared().manager { $0.urlCache = nil }
        manager.responseSerializer = HTTPResponseSerializer()
        let part = try await manager.get("range/52", headers: ["Range": "bytes=26-28"])
        #expect(part as? Data == Data("abc".utf8))
        let all = try #require(try await manager.get("range/52") as? Data)
        #expect(all.count == 52)
        let error = try await #require(throws: (any Error).self) {
            try await manager.get("range/52", headers: ["Range": "bytes=90-99"])
        }
        #expect(NetworkingError(error).responseCode == 416)
    }
}
