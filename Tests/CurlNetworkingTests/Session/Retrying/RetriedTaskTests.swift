internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The state that a failed attempt leaves to the next one, for each kind of task.
@Suite(.timeLimit(.minutes(10))) struct RetriedTaskTests {
    @Test("A-11: The partial body of a failed attempt isn't in the result or the progress")
    func partialBodyOfFailedAttemptIsDiscarded() async throws {
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

    @Test("A-11: A retried task's response and counts are those of the last attempt")
    func responseIsTheLastAttempts() async throws {
        let (thinking, decided) = (Gate(), Gate())
        let server = try LoopbackServer.replying(.text("a long refusal", status: 503), .text("hi"))
        let manager = URLSessionManager.strict(
            Interceptor(
                adapters: [
                    Adapter { request, attempt in
                        guard attempt.retryCount > 0 else { return request }
                        thinking.open()
                        try await decided.wait()
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
        decided.open()
        #expect(try await completions.only().text == "hi")
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(task.countOfBytesReceived == 2)
        #expect(task.state == .completed)
    }

    @Test("A-11: Bodies in memory and in files are sent again")
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

    @Test("A-11: A retried task sends a copy of its stream, or a new one from the handler")
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

    @Test("A-11: A task whose stream can't be read again isn't retried")
    func taskIsNotRetriedWhenItsStreamCannotBeReadAgain() async throws {
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

    @Test("A-11: A download's file comes from the last attempt, and is moved once")
    func retriedDownloadMovesItsFileOnce() async throws {
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

    /// Downloads one half of a file, and returns the resume data.
    private func resumeData(
        _ manager: URLSessionManager,
        _ server: LoopbackServer
    ) async throws -> Data {
        let broken = await manager.downloadResponse(for: try server.request()) { url, _ in url }
        return try #require(broken.resumeData)
    }

    /// Resumes a download.
    private func resumed(
        _ manager: URLSessionManager,
        with data: Data,
        to file: URL,
        isDelayed: Bool = false
    ) async throws -> Completion {
        let completions = EventRecorder<Completion>()
        let task = manager.downloadTask(
            withResumeData: data,
            destination: { _, _ in file },
            completionHandler: completions.downloadHandler
        )
        if isDelayed { task.earliestBeginDate = Date() }
        task.resume()
        return try await completions.only()
    }

    @Test(
        "A-11: Each attempt of a resumed download uses the resume data",
        arguments: [false, true]
    )
    func eachAttemptUsesTheResumeData(beginsLater: Bool) async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path("file"))
        let server = try LoopbackServer.replying(.half, .status(503), .rest)
        let manager = URLSessionManager.strict()
        let data = try await resumeData(manager, server)
        manager.interceptor = Retrier.times(1)
        let end = try await resumed(manager, with: data, to: file, isDelayed: beginsLater)
        #expect(end.error == nil)
        #expect(try folder.read("file") == Array("helloworld".utf8))
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=5-", "bytes=5-"])
    }

    @Test(
        "A-11, A-30: A resumed download that has to restart sends its adapter's headers",
        arguments: [416, 206]
    )
    func restartedDownloadSendsAdapterHeaders(status: Int) async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path("file"))
        let other = Reply(
            206,
            headers: [("ETag", "\"2\""), ("Content-Range", "bytes 5-9/10")],
            body: .bytes(Array("other".utf8))
        )
        let server = try LoopbackServer.replying(
            .half,
            status == 416 ? .status(416) : other,
            .text("something else")
        )
        let manager = URLSessionManager.strict()
        let data = try await resumeData(manager, server)
        manager.interceptor = Adapter { request, _ in
            var request = request
            request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
            request.setValue("added", forHTTPHeaderField: "X-Shop-Key")
            return request
        }
        #expect(try await resumed(manager, with: data, to: file).error == nil)
        #expect(try folder.read("file") == Array("something else".utf8))
        #expect(server.requestCount == 3)
        let last = try await server.request(2)
        #expect(last.header("Authorization") == "Bearer token")
        #expect(last.header("X-Shop-Key") == "added")
        for name in ["Range", "If-Range"] { #expect(last.header(name) == nil, "\(name)") }
        // The partial file has been deleted.
        #expect(try await resumed(manager, with: data, to: file).error != nil)
        #expect(server.requestCount == 3)
    }

    @Test("A-30: If a resumed download fails to restart, it keeps its resume data")
    func failedRestartKeepsResumeData() async throws {
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: folder.path("file"))
        let server = try LoopbackServer.replying(
            .half,
            // On a reused connection, the request would be sent once more.
            .status(416).header("Connection", "close"),
            .steps([.reset]),
            .rest
        )
        let manager = URLSessionManager.strict()
        let data = try await resumeData(manager, server)
        let failed = await manager.downloadResponse(resumeFrom: data) { _, _ in file }
        #expect(server.requestCount == 3)
        let again = try #require(failed.resumeData)
        #expect(try await resumed(manager, with: again, to: file).error == nil)
        #expect(try folder.read("file") == Array("helloworld".utf8))
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=5-", nil, "bytes=5-"])
    }

    @Test("A-11: Each attempt handles challenges and redirects from the start")
    func eachAttemptRepeatsChallengesAndRedirects() async throws {
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

    @Test("A-11: The timeout for the whole task also ends a retried task")
    func taskTimeoutEndsARetriedTask() async throws {
        let server = try LoopbackServer.replying(.status(503))
        // On a busy machine the timeout may pass before the retry delay begins: then the test
        // repeats with a longer one.
        for limit in [1.0, 10, 100] {
            let decided = Watched(false)
            let manager = URLSessionManager.test { $0.timeoutIntervalForResource = limit }
            manager.responseSerializer = ScriptedSerializer { _, _ in (nil, Refusal(status: 503)) }
            manager.interceptor = Retrier { _, _ in
                decided.update { $0 = true }
                return .retryWithDelay(3600)
            }
            let before = server.requestCount
            let error = try await manager.load(server.request()).error
            let count = server.requestCount - before
            guard decided.read({ $0 }), error as? Refusal == nil, count > 0 else { continue }
            #expect((error as? URLError)?.code == .timedOut)
            #expect(count == 1)
            return
        }
        Issue.record("Nothing was waited for.")
    }
}
