internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// What there is of an attempt that another one follows, whatever kind of task it is.
@Suite(.timeLimit(.minutes(10))) struct RetriedTaskTests {
    @Test("A-11: what has come of a body before is not in the result, nor in the progress")
    func nothingIsLeftOfABody() async throws {
        let server = try LoopbackServer.replying(.broken, .text("hello"))
        let manager = URLSessionManager.strict(Retrier.times(1))
        let progress = EventRecorder<Progress>()
        let completion = try await manager.load(
            server.request(),
            downloadProgress: { progress.record($0) }
        )
        #expect(completion.text == "hello")
        #expect(completion.error == nil)
        #expect(completion.status == 200)
        let last = try #require(progress.events.last)
        #expect(last.completedUnitCount == 5)
        #expect(last.totalUnitCount == 5)
        #expect(progress.events.allSatisfy { $0 === last })
        #expect(server.requestCount == 2)
    }

    @Test("A-11: a retried task's response and counts are the last attempt's")
    func theResponseIsTheLastOne() async throws {
        let (thinking, goOn) = (Gate(), Gate())
        let server = try LoopbackServer.replying(.text("a long refusal", status: 503), .text("hi"))
        let manager = URLSessionManager.strict(
            Interceptor(
                adapters: [
                    Adapter { request, attempt in
                        guard attempt.retryCount > 0 else { return request }
                        thinking.open()
                        try await goOn.wait()
                        return request
                    }
                ],
                retriers: [Retrier.times(1)]
            )
        )
        let completions = EventRecorder<Completion>()
        let task = try manager.dataTask(
            with: server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        try await thinking.wait()
        #expect(task.response == nil)
        #expect(task.error == nil)
        #expect(task.countOfBytesReceived == 0)
        #expect(task.state == .running)
        #expect(manager.dataTasks == [task])
        goOn.open()
        #expect(try await completions.only().text == "hi")
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(task.countOfBytesReceived == 2)
        #expect(task.state == .completed)
    }

    @Test("A-11: bodies in memory and in files are sent again")
    func bodiesAreSentAgain() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path + "/body")
        try Data("from a file".utf8).write(to: file)
        let server = try LoopbackServer.replying(.status(503), .status(503), .text("hello"))
        let manager = URLSessionManager.strict(Retrier.times(2))
        let own = try await manager.load(
            server.request("/own", method: "PUT", body: Data("own".utf8))
        )
        #expect(own.text == "hello")
        let request = try server.request("/data", method: "PUT")
        let data = try await manager.upload(for: request, from: Data("data".utf8))
        #expect(data.object as? Data == Data("hello".utf8))
        let other = try server.request("/file", method: "PUT")
        _ = try await manager.upload(for: other, fromFile: file)
        let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(
            bodies == ["own", "own", "own", "data", "data", "data"]
                + [String](repeating: "from a file", count: 3)
        )
    }

    @Test("A-11: a stream that can be copied is sent again, and any if somebody has another one")
    func streamsAreSentAgain() async throws {
        let server = try LoopbackServer.replying(.status(503), .text("hello"))
        let manager = URLSessionManager.strict(Retrier.times(1))
        var request = try server.request("/upload", method: "PUT")
        request.httpBodyStream = CopyableStream("copied")
        _ = try await manager.upload(withStreamedRequest: request)
        request = try server.request("/data", method: "PUT")
        request.httpBodyStream = CopyableStream("copied")
        #expect(try await manager.load(request).text == "hello")
        manager.setTaskNeedNewBodyStream { _, _ in InputStream(data: Data("made".utf8)) }
        request = try server.request("/made", method: "PUT")
        request.httpBodyStream = InputStream(data: Data("gone".utf8))
        _ = try await manager.upload(withStreamedRequest: request)
        let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["copied", "copied", "copied", "copied", "made", "made"])
    }

    @Test("A-11: what sends a stream that can't be read again isn't tried again")
    func streamsThatAreGone() async throws {
        let server = try LoopbackServer.replying(.status(503))
        let asked = EventRecorder<Asked>()
        let manager = URLSessionManager.strict(
            ScriptedInterceptor(name: "m", asked: asked, result: .retry)
        )
        var request = try server.request("/", method: "PUT")
        request.httpBodyStream = InputStream(data: Data("once".utf8))
        let data = try await manager.load(request)
        #expect(data.error as? Refusal == Refusal(status: 503))
        request.httpBodyStream = InputStream(data: Data("once".utf8))
        let completions = EventRecorder<Completion>()
        manager.uploadTask(
            withStreamedRequest: request,
            completionHandler: completions.handler
        ).resume()
        #expect(try await completions.only().error as? Refusal == Refusal(status: 503))
        #expect(
            asked.events == [.adapt("m", retryCount: 0), .adapt("m", retryCount: 0)]
        )
        #expect(server.requestCount == 2)
    }

    @Test("A-11: a download's file is the last attempt's, and is moved once")
    func downloadsAreTriedAgain() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path + "/file")
        let server = try LoopbackServer.replying(
            .text("a refusal", status: 503),
            .broken,
            .text("hello")
        )
        let manager = URLSessionManager.strict(Retrier.times(2))
        let asked = Watched(0)
        let result = try await manager.download(for: server.request()) { _, _ in
            asked.update { $0 += 1 }
            return file
        }
        #expect(result.file == file)
        #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
        #expect(asked.read { $0 } == 1)
        #expect(server.requestCount == 3)
    }

    @Test("A-11: a download that goes on with another one goes on with it in each attempt")
    func resumedDownloadsAreTriedAgain() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path + "/file")
        let partial = Reply.steps([
            .send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nhello"), .reset,
        ])
        let rest = Reply(
            206,
            headers: [("ETag", "\"1\""), ("Content-Range", "bytes 5-9/10")],
            body: .bytes(Array("world".utf8))
        )
        let server = try LoopbackServer.replying(partial, .status(503), rest)
        let manager = URLSessionManager.strict()
        let completions = EventRecorder<Completion>()
        try manager.downloadTask(
            with: server.request(),
            destination: { _, _ in file },
            completionHandler: completions.downloadHandler
        ).resume()
        let error = try await completions.only().error as? URLError
        let data = try #require(error?.downloadTaskResumeData)
        manager.interceptor = Retrier.times(1)
        let result = try await manager.download(resumeFrom: data) { _, _ in file }
        #expect(try String(contentsOf: result.file, encoding: .utf8) == "helloworld")
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=5-", "bytes=5-"])
    }

    @Test("A-11: an attempt's challenges and redirects begin anew")
    func redirectsBeginAnew() async throws {
        let counts = Watched(0)
        let server = try LoopbackServer { request in
            guard request.path == "/to" else { return .redirect(307, to: "/to") }
            return counts.update { count in
                count += 1
                return count < 3 ? .status(503) : .text("hello")
            }
        }
        let manager = URLSessionManager.strict(Retrier.times(2))
        let redirects = Watched(0)
        manager.setTaskWillPerformHTTPRedirection { _, _, _, request in
            redirects.update { $0 += 1 }
            return request
        }
        let completion = try await manager.load(
            server.request("/from", method: "PUT", body: Data("hi".utf8))
        )
        #expect(completion.text == "hello")
        #expect(redirects.read { $0 } == 3)
        #expect(server.requests.allSatisfy { $0.body == Array("hi".utf8) })
    }

    @Test("A-11: a retried task is over when the whole task may take no longer")
    func theWholeTaskHasATimeLimit() async throws {
        let server = try LoopbackServer.replying(.status(503))
        let manager = URLSessionManager.test { $0.timeoutIntervalForResource = 0.2 }
        manager.responseSerializer = ScriptedSerializer { _, _ in (nil, Refusal(status: 503)) }
        manager.interceptor = Retrier.times(1, after: 3600)
        let completion = try await manager.load(server.request())
        // On a busy machine the time may be over while the retrier thinks: then the attempt's end is it.
        let isTimeout = (completion.error as? URLError)?.code == .timedOut
        #expect(isTimeout || completion.error as? Refusal == Refusal(status: 503))
    }
}
