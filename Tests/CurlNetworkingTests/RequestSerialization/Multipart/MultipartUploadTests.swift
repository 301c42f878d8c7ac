internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct MultipartUploadTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// The complete body of a request, read from a copy of its stream.
    private func copy(_ request: URLRequest) throws -> [UInt8] {
        let stream = try #require(request.httpBodyStream as? any NSCopying)
        return try Forms.bytes(stream.copy(with: nil) as? InputStream)
    }

    @Test("M-13: A form is sent with its exact length, not in chunks")
    func aFormIsSentWithItsExactLength() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let request = try Forms.request(["a": 1], to: server.at("/")) { form in
            try Forms.appendAll(to: form, in: folder)
        }
        let (data, _) = try await URLSession.patient().data(for: request)
        #expect(try [UInt8](data) == copy(request))
        let recorded = try #require(server.requests.first)
        #expect(recorded.header("Content-Length") == "\(data.count)")
        #expect(recorded.header("Transfer-Encoding") == nil)
        #expect(recorded.header("Accept-Encoding") != nil)  // R-24
    }

    @Test("M-13: Without a length header, the length comes from the stream")
    func lengthComesFromTheStream() async throws {
        let server = try LoopbackServer { .text($0.header("Content-Length") ?? "none") }
        var request = try Forms.request(["a": 1], to: server.at("/"))
        let length = request.value(forHTTPHeaderField: "Content-Length")
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
        let (data, _) = try await URLSession.patient().data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == length)
    }

    @Test("M-15: A large file is sent completely")
    func largeFileIsSentCompletely() async throws {
        var generator = SeededGenerator(seed: 3)
        let block = [UInt8](count: 100_003) { _ in UInt8.random(in: 0...255, using: &generator) }
        let bytes = Array(repeatElement(block, count: 60).joined())
        let url = URL(fileURLWithPath: try folder.write(bytes, to: "large"))
        let server = try LoopbackServer { .text("\($0.bodyByteCount)") }
        let request = try Forms.request(to: server.at("/")) {
            try $0.appendPart(withFileURL: url, name: "large")
        }
        let (data, _) = try await URLSession.patient().data(for: request)
        let length = request.value(forHTTPHeaderField: "Content-Length")
        #expect(String(decoding: data, as: UTF8.self) == length)
        #expect(try copy(request).count == Int(length ?? ""))
    }

    @Test("M-17: A form is sent again after a redirect", arguments: [307, 308])
    func aFormIsSentAgainAfterARedirect(_ status: Int) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .bytes(request.body) : .redirect(status, to: "/end")
        }
        let request = try Forms.request(to: server.at("/")) { form in
            try Forms.appendAll(to: form, in: folder)
            form.throttleBandwidth(withPacketSize: 200, delay: 0)
        }
        let (data, _) = try await URLSession.patient().data(for: request)
        #expect(try [UInt8](data) == copy(request))
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.header("Content-Length") == "\(data.count)" })
    }

    @Test("M-17: An upload task sends a form again after each of two redirects")
    func aFormIsSentAgainByAnUploadTask() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/end": .bytes(request.body)
            case "/next": .redirect(308, to: "/end")
            default: .redirect(307, to: "/next")
            }
        }
        let request = try Forms.request(to: server.at("/")) {
            try Forms.appendAll(to: $0, in: folder)
        }
        let collector = Collector()
        let session = URLSession(
            configuration: .ephemeral,
            delegate: collector,
            delegateQueue: nil
        )
        session.uploadTask(withStreamedRequest: request).resume()
        let (body, error) = try await collector.outcome()
        #expect(error == nil)
        #expect(try [UInt8](body) == copy(request))
        session.finishTasksAndInvalidate()
    }

    @Test("M-17: A form is sent again after an authentication challenge")
    func aFormIsSentAgainAfterAChallenge() async throws {
        let server = try LoopbackServer { request in
            guard request.header("Authorization") == "Basic dXNlcjpwYXNz" else {
                return Reply(401, headers: [("WWW-Authenticate", "Basic realm=\"Gate\"")])
            }
            return request.path == "/end" ? .bytes(request.body) : .redirect(307, to: "/end")
        }
        let url = server.at("/").replacingOccurrences(of: "//", with: "//user:pass@")
        let request = try Forms.request(to: url) {
            try Forms.appendAll(to: $0, in: folder)
        }
        let (data, _) = try await URLSession.patient().data(for: request)
        #expect(try [UInt8](data) == copy(request))
        #expect(server.requests.count >= 3)
    }

    private func streamed(_ stream: InputStream?, _ length: Int64, to url: String) throws
        -> URLRequest
    {
        try Forms.request(to: url) { form in
            form.appendPart(
                with: stream,
                name: "s",
                fileName: "s",
                length: length,
                mimeType: "text/plain"
            )
        }
    }

    @Test("M-17: A form with a stream part can't be sent again, and the error says so")
    func aFormWithAStreamCannotBeSentAgain() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .bytes(request.body) : .redirect(307, to: "/end")
        }
        let stream = InputStream(data: Data("once".utf8))
        let request = try streamed(stream, 4, to: server.at("/"))
        let error = try await urlError { _ = try await URLSession.patient().data(for: request) }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect((error as NSError).localizedFailureReason?.contains("“s”") == true)
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.domain == URLRequestSerializationErrorDomain)
    }

    @Test("M-18, M-08, M-07: A part that can't be read aborts the upload")
    func aPartThatCannotBeReadAbortsTheUpload() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let file = try folder.write("as it was", to: "file")
        let changed = try Forms.request(to: server.at("/")) {
            try $0.appendPart(withFileURL: URL(fileURLWithPath: file), name: "s")
        }
        try folder.write("as it is by now", to: "file")
        let requests = [
            changed, try streamed(FailingStream(after: 5), 10, to: server.at("/")),
            try streamed(InputStream(data: Data("short".utf8)), 10, to: server.at("/")),
            try streamed(InputStream(data: Data("long".utf8)), 2, to: server.at("/")),
        ]
        for request in requests {
            let error = try await urlError { _ = try await URLSession.patient().data(for: request) }
            #expect(error.code == .requestBodyStreamExhausted)
            #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
        }
        #expect(server.requests.allSatisfy { !$0.isComplete })
    }

    @Test("M-18: The error of a part's stream is the underlying error of the manager's error")
    func errorOfAPartsStreamIsTheCause() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let manager = URLSessionManager.test()
        let request = try streamed(FailingStream(after: 5), 10, to: server.at("/"))
        let error = try #require(try await manager.load(request).error)
        #expect(NetworkingError(error).underlyingError is FailingStream.Failure)
        manager.invalidateSessionCancelingTasks(true, resetSession: false)
    }

    @Test("M-12: A throttled form takes at least the time of its packets, and arrives completely")
    func throttledFormTakesItsMinimumTime() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let request = try Forms.request(to: server.at("/")) { form in
            form.appendPart(withForm: Data(repeating: 1, count: 900), name: "f")
            form.throttleBandwidth(withPacketSize: 100, delay: 0.02)
        }
        let packets = (try copy(request).count + 99) / 100
        let start = ContinuousClock.now
        let (data, _) = try await URLSession.patient().data(for: request)
        #expect(ContinuousClock.now - start >= .milliseconds(20 * (packets - 1)))
        #expect(try [UInt8](data) == copy(request))
    }
}

/// Collects the body and the outcome of one task.
private final class Collector: NSObject, URLSessionDataDelegate {
    private struct State: Sendable {
        var data = Data()
        var outcome: (any Error)??
    }

    private let state = Watched(State())

    func outcome() async throws -> (Data, (any Error)?) {
        try await state.wait { state in state.outcome.map { (state.data, $0) } }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.update { $0.data += data }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        state.update { $0.outcome = .some(error) }
    }
}
