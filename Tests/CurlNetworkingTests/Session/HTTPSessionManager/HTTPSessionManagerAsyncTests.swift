internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTPSessionManagerAsyncTests {
    @Test("H-06, H-08, H-10: Each HTTP method has an async form")
    func eachMethodHasAnAsyncForm() async throws {
        let server = try LoopbackServer { .text("\($0.method) \($0.target) \($0.bodyText)") }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        func text(_ object: (any Sendable)?) -> String {
            String(decoding: object as? Data ?? Data(), as: UTF8.self)
        }
        let parameters: [String: Any] = ["k": [1, 2]]
        let encoded = "k%5B%5D=1&k%5B%5D=2"
        #expect(text(try await manager.get("p", parameters: parameters)) == "GET /p?\(encoded) ")
        #expect(text(try await manager.post("p", parameters: parameters)) == "POST /p \(encoded)")
        #expect(text(try await manager.put("p", parameters: parameters)) == "PUT /p \(encoded)")
        #expect(text(try await manager.patch("p", parameters: parameters)) == "PATCH /p \(encoded)")
        #expect(
            text(try await manager.delete("p", parameters: parameters)) == "DELETE /p?\(encoded) "
        )
    }

    @Test("A-26: Cancelling the Swift task cancels the request at once")
    func cancellingCancelsTheRequest() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let waiting = Task { try await manager.get("p") is Data }
        _ = try await server.requestHead(0)
        waiting.cancel()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
    }

    @Test("A-26: An async call in a cancelled Swift task throws without waiting for a response")
    func aCancelledTaskSendsNothing() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let gate = Gate()
        let waiting = Task {
            try? await gate.wait()
            return try await manager.get("p") is Data
        }
        waiting.cancel()
        gate.open()
        let error = await #expect(throws: URLError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
    }

    // MARK: Truncated compressed data

    @Test(
        "A response whose compressed data ends early is an error",
        arguments: CompressedSample.all
    )
    func truncatedDataIsALostConnection(_ sample: CompressedSample) async throws {
        let server = try LoopbackServer { _ in sample.reply(missing: 4) }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let gotten = try await urlError { _ = try await manager.get("p") }
        #expect(gotten.code == .networkConnectionLost)
        let reason = (gotten as NSError).localizedFailureReason
        #expect(reason?.contains("compressed") == true, "\(gotten)")
        let request = try server.request()
        let loaded = try await urlError { _ = try await manager.object(for: request) }
        #expect(loaded.code == .networkConnectionLost)
    }

    @Test(
        "A download whose compressed data ends early leaves no file",
        arguments: CompressedSample.all
    )
    func truncatedDownloadLeavesNoFile(_ sample: CompressedSample) async throws {
        let server = try LoopbackServer { _ in sample.reply(missing: 4) }
        let manager = HTTPSessionManager.forTest(server.at("/"))
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path("file"))
        let asked = EventRecorder<URL>()
        let error = try await urlError {
            _ = try await manager.download("p") { location, _ in
                asked.record(location)
                return file
            }
        }
        #expect(error.code == .networkConnectionLost)
        #expect(asked.events.isEmpty)
        #expect(try folder.contents().isEmpty)
    }
}
