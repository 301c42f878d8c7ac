internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct UploadTests {
    private static func post(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        return request
    }

    private static func counting() throws -> LoopbackServer {
        try LoopbackServer { .text("\($0.bodyByteCount)") }
    }

    @Test(arguments: [0, 5, 100_000, 3_000_000])
    func bytesAreSent(_ size: Int) async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let body = Data([UInt8](count: size) { UInt8(truncatingIfNeeded: $0 &* 7) })
        let (data, _) = try await URLSession.test()
            .upload(for: Self.post(server.at("/")), from: body)
        #expect(data == body)
        #expect(server.requests[0].header("Content-Length") == "\(size)")
    }

    @Test func fileIsSent() async throws {
        let server = try Self.counting()
        let folder = try TemporaryDirectory()
        let path = try folder.write([UInt8](repeating: 3, count: 1_000_000), to: "body")
        let (data, _) = try await URLSession.test()
            .upload(for: Self.post(server.at("/")), fromFile: URL(fileURLWithPath: path))
        #expect(String(decoding: data, as: UTF8.self) == "1000000")
    }

    @Test func missingFileFailsBeforeSending() async throws {
        let server = try Self.counting()
        let request = Self.post(try server.at("/"))
        let missing = URL(fileURLWithPath: "/nowhere/nothing")
        let error = try await urlError {
            _ = try await URLSession.test().upload(for: request, fromFile: missing)
        }
        #expect(error.code == .fileDoesNotExist)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test func progressIsReportedToTheEnd() async throws {
        let server = try Self.counting()
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.uploadTask(
            with: Self.post(try server.at("/")),
            from: Data(count: 8_000_000)
        )
        task.resume()
        try await delegate.completion()
        let sent = delegate.events.compactMap { event -> Int64? in
            guard case .sent(let total, of: 8_000_000) = event else { return nil }
            return total
        }
        #expect(sent.last == 8_000_000)
        #expect(sent == sent.sorted())
        #expect(task.countOfBytesSent == 8_000_000)
        #expect(task.countOfBytesExpectedToSend == 8_000_000)
        session.invalidateAndCancel()
    }

    @Test("A12: A stream is sent completely", arguments: [1000, 3_000_000])
    func streamIsSentCompletely(_ size: Int) async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let body = Data([UInt8](count: size) { UInt8(truncatingIfNeeded: $0 &* 7) })
        var request = Self.post(try server.at("/"))
        request.httpBodyStream = InputStream(data: body)
        let (data, _) = try await URLSession.test().data(for: request)
        #expect(data == body)
        #expect(server.requests[0].header("Transfer-Encoding") == "chunked")
    }

    @Test func streamWithContentLengthIsNotChunked() async throws {
        let server = try Self.counting()
        var request = Self.post(try server.at("/"))
        request.httpBodyStream = InputStream(data: Data(count: 70_000))
        request.setValue("70000", forHTTPHeaderField: "Content-Length")
        let (data, _) = try await URLSession.test().data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "70000")
        #expect(server.requests[0].header("Content-Length") == "70000")
    }

    @Test("A12: A stream that fails ends the task with an error")
    func failedStreamEndsTheTask() async throws {
        let server = try Self.counting()
        var request = Self.post(try server.at("/"))
        request.httpBodyStream = InputStream(fileAtPath: "/nowhere/nothing")
        let bad = request
        let error = try await urlError { _ = try await URLSession.test().data(for: bad) }
        #expect(error.code == .requestBodyStreamExhausted)
    }

    @Test func delegateProvidesTheStreamOfAStreamedUpload() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let delegate = SessionDelegate {
            $0.bodyStream = { InputStream(data: Data("streamed".utf8)) }
        }
        let session = URLSession.test(delegate: delegate)
        session.uploadTask(withStreamedRequest: Self.post(try server.at("/"))).resume()
        try await delegate.completion()
        #expect(delegate.text == "streamed")
        #expect(delegate.events.first == .bodyStream)
        session.invalidateAndCancel()
    }

    @Test("A12: The delegate supplies another stream when the body must be sent again")
    func delegateProvidesAnotherStream() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .bytes(request.body) : .redirect(307, to: "/end")
        }
        let delegate = SessionDelegate {
            $0.bodyStream = { InputStream(data: Data("again".utf8)) }
        }
        let session = URLSession.test(delegate: delegate)
        var request = Self.post(try server.at("/"))
        request.httpBodyStream = InputStream(data: Data("first".utf8))
        session.uploadTask(withStreamedRequest: request).resume()
        try await delegate.completion()
        #expect(server.requests[0].bodyText == "first")
        #expect(delegate.text == "again")
        session.invalidateAndCancel()
    }

    @Test("C5: A stream that can't be sent again is a clear error")
    func unrepeatableStreamIsAClearError() async throws {
        let server = try LoopbackServer { _ in .redirect(307, to: "/end") }
        var request = Self.post(try server.at("/"))
        request.httpBodyStream = InputStream(data: Data("first".utf8))
        let streamed = request
        let error = try await urlError { _ = try await URLSession.test().data(for: streamed) }
        #expect(error.code == .requestBodyStreamExhausted)
    }

    @Test("C8: A body is sent completely after the server has closed the idle connection")
    func bodyIsSentCompletelyAfterTheConnectionClosed() async throws {
        let server = try LoopbackServer.scripted { connection in
            connection == 0
                ? [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close]
                : [
                    .readHead, .readBody,
                    .respond { request in
                        let text = "\(request.bodyByteCount)"
                        return [
                            .send(
                                "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
                            )
                        ]
                    },
                ]
        }
        let session = URLSession.test()
        _ = try await session.data(from: server.at("/"))
        let (data, _) = try await session.upload(
            for: Self.post(server.at("/")),
            from: Data(count: 200_000)
        )
        #expect(String(decoding: data, as: UTF8.self) == "200000")
    }
}
