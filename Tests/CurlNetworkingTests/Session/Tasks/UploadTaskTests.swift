internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct UploadTaskTests {
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.path == "/moved"
                ? .redirect(307, to: "/")
                : Reply(
                    headers: [("Length", request.header("Content-Length") ?? "none")],
                    body: .bytes(request.body)
                )
        }
    }

    private func length(_ completion: Completion) -> String? {
        (completion.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Length")
    }

    private func stream(_ manager: URLSessionManager, _ request: URLRequest) async throws
        -> Completion
    {
        let completions = EventRecorder<Completion>()
        manager.uploadTask(
            withStreamedRequest: request,
            completionHandler: completions.handler
        ).resume()
        return try await completions.only()
    }

    @Test("S-31: A file is sent with its length instead of the request's body")
    func aFileIsSent() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: try folder.write("from a file", to: "file"))
        let (server, manager) = (try server(), URLSessionManager.test())
        let completions = EventRecorder<Completion>()
        manager.uploadTask(
            with: try server.request(method: "POST", body: Data("own".utf8)),
            fromFile: file,
            completionHandler: completions.handler
        ).resume()
        let completion = try await completions.only()
        #expect(completion.text == "from a file")
        #expect(length(completion) == "11")
    }

    @Test("S-31: If its file doesn't exist, an upload fails")
    func withoutItsFileAnUploadFails() async throws {
        let folder = try TemporaryDirectory()
        let (server, manager) = (try server(), URLSessionManager.test())
        let completions = EventRecorder<Completion>()
        manager.uploadTask(
            with: try server.request(method: "POST"),
            fromFile: URL(fileURLWithPath: folder.path("none")),
            completionHandler: completions.handler
        ).resume()
        let completion = try await completions.only()
        #expect((completion.error as? URLError)?.code == .fileDoesNotExist)
        #expect(server.requestCount == 0)
    }

    @Test("S-32: The given data is sent, or without data the request's own body")
    func bytesAreSent() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        let request = try server.request(method: "POST", body: Data("own".utf8))
        for (body, expected) in [(Data("other".utf8), "other"), (nil, "own")] {
            let completions = EventRecorder<Completion>()
            manager.uploadTask(
                with: request,
                from: body,
                completionHandler: completions.handler
            ).resume()
            #expect(try await completions.only().text == expected)
        }
    }

    @Test("S-33: A request's stream is sent")
    func aStreamIsSent() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        var request = try server.request(method: "POST")
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        let completion = try await stream(manager, request)
        #expect(completion.text == "streamed")
        #expect(length(completion) == "none")
    }

    @Test("S-33, P-03: A stream's length comes from the request's `Content-Length`")
    func streamLengthComesFromContentLength() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        var request = try server.request(method: "POST")
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        request.setValue("8", forHTTPHeaderField: "Content-Length")
        let fractions = EventRecorder<Double>()
        let completions = EventRecorder<Completion>()
        manager.uploadTask(
            withStreamedRequest: request,
            progress: { fractions.record($0.fractionCompleted) },
            completionHandler: completions.handler
        ).resume()
        let completion = try await completions.only()
        #expect(length(completion) == "8")
        #expect(fractions.events.last == 1)
    }

    @Test("S-39: The handler provides each stream, including the first one")
    func handlerProvidesEachStream() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        let asked = Watched(0)
        manager.setTaskNeedNewBodyStream { _, _ in
            let number = asked.update { count in
                count += 1
                return count
            }
            return InputStream(data: Data("stream \(number)".utf8))
        }
        var request = try server.request("/moved", method: "POST")
        request.httpBodyStream = InputStream(data: Data("own".utf8))
        #expect(try await stream(manager, request).text == "stream 2")
        #expect(asked.read { $0 } == 2)
    }

    @Test("S-39: Without a handler, a stream is sent again if it can be copied")
    func copyableStreamIsSentAgain() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        var request = try server.request("/moved", method: "POST")
        request.httpBodyStream = CopyableStream("copied")
        #expect(try await stream(manager, request).text == "copied")
        request = try server.request("/moved", method: "POST")
        request.httpBodyStream = InputStream(data: Data("once".utf8))
        let completion = try await stream(manager, request)
        #expect((completion.error as? URLError)?.code == .requestBodyStreamExhausted)
    }

    @Test("S-44, P-04: The handler for sent data is called after the progress handler")
    func sentBytesAreReportedAfterProgress() async throws {
        let (server, manager) = (try server(), URLSessionManager.test())
        let order = EventRecorder<String>()
        manager.setTaskDidSendBodyData { _, _, _, total, expected in
            order.record("sent \(total) of \(expected)")
        }
        var request = try server.request(method: "POST")
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        let completions = EventRecorder<Completion>()
        manager.uploadTask(
            withStreamedRequest: request,
            progress: { order.record("progress \($0.completedUnitCount) of \($0.totalUnitCount)") },
            completionHandler: completions.handler
        ).resume()
        _ = try await completions.only()
        #expect(order.events == ["progress 8 of -1", "sent 8 of -1"])
    }

    @Test("P-04: If the transport doesn't know the length, `Content-Length` gives it")
    func contentLengthGivesUnknownLength() throws {
        let core = ManagerCore(configuration: nil)
        let delivered = EventRecorder<[Int64]>()
        let handler: URLSessionManager.TaskDidSendBodyData = { _, _, count, total, expected in
            delivered.record([count, total, expected])
        }
        core.change(\.handlers.taskDidSendBodyData, to: handler)
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        request.setValue("77", forHTTPHeaderField: "Content-Length")
        let task = core.session.dataTask(with: request)
        for expected: Int64 in [-1, 3] {
            core.report(
                .didSendBodyData(
                    core.session,
                    task,
                    bytesSent: 1,
                    totalBytesSent: 2,
                    expected: expected
                )
            )
        }
        #expect(delivered.events == [[1, 2, 77], [1, 2, 3]])
        core.session.invalidateAndCancel()
    }
}
