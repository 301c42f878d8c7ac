internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// Data tasks and their handlers.
@Suite(.timeLimit(.minutes(10))) struct DataTaskTests {
    @Test("S-30, T-02, T-06: A data task's completion handler gets the response and the object")
    func aDataTaskCompletes() async throws {
        let server = try LoopbackServer { _ in .chunked(["one", "two"].map { Array($0.utf8) }) }
        let manager = URLSessionManager.test()
        let completion = try await manager.load(server.request())
        #expect(completion.status == 200)
        #expect(completion.text == "onetwo")
        #expect(completion.error == nil)
    }

    @Test("T-02, T-07: The response body of an upload is collected, and that of a download isn't")
    func anUploadsAnswerIsCollected() async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .chunked(["one", "two"].map { Array($0.utf8) }) }
        let manager = URLSessionManager.test()
        let serialized = EventRecorder<Data?>()
        manager.responseSerializer = ScriptedSerializer { _, data in
            serialized.record(data)
            return (data, nil)
        }
        let request = try server.request(method: "PUT")
        let source = URL(fileURLWithPath: try folder.write("sent", to: "source"))
        var streamed = request
        streamed.httpBodyStream = InputStream(data: Data("sent".utf8))
        let answers = [
            try await manager.upload(for: request, from: Data("sent".utf8)),
            try await manager.upload(for: request, fromFile: source),
            try await manager.upload(withStreamedRequest: streamed),
        ]
        #expect(answers.allSatisfy { $0.object as? Data == Data("onetwo".utf8) })
        #expect(server.requests.map(\.bodyText) == ["sent", "sent", "sent"])
        let file = URL(fileURLWithPath: folder.path("file"))
        _ = try await manager.download(for: server.request()) { _, _ in file }
        #expect(serialized.events.count == 4)
        #expect(serialized.events.last == Data())
        #expect(try folder.read("file") == Array("onetwo".utf8))
    }

    @Test("S-30: A task needs no handlers")
    func aTaskNeedsNoHandler() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        #expect(try await recorder.first(.networkingTaskDidComplete).object as? Data != nil)
    }

    @Test("T-05: A failure's completion handler gets the response and no object")
    func aFailureHasNoObject() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 201 OK\r\nContent-Length: 10\r\n\r\nhello"), .close,
        ])
        let manager = URLSessionManager.test()
        let asked = EventRecorder<Void>()
        manager.responseSerializer = ScriptedSerializer { _, _ in
            asked.record(())
            return ("object", nil)
        }
        let completion = try await manager.load(server.request())
        #expect(completion.status == 201)
        #expect(completion.object == nil)
        #expect((completion.error as? URLError)?.code == .networkConnectionLost)
        let error: Any? = completion.error
        #expect((error as? NSError)?.code == -1005)
        #expect(asked.events.isEmpty)
    }

    @Test("T-06: The completion handler may get both an object and an error")
    func objectAndErrorMayComeTogether() async throws {
        let server = try LoopbackServer { _ in .text("what is wrong", status: 500) }
        let manager = URLSessionManager.test()
        manager.responseSerializer = ScriptedSerializer { _, data in
            (data, URLError(.badServerResponse))
        }
        let completion = try await manager.load(server.request())
        #expect(completion.text == "what is wrong")
        #expect(completion.code == -1011)
    }

    @Test("T-03: A serializer gets the collected body without a copy")
    func aBodyIsNotCopied() async throws {
        let body = [UInt8](count: 500_000) { UInt8(truncatingIfNeeded: $0) }
        let gate = Gate()
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
        let server = try LoopbackServer.scripted([
            .readHead, .send(head + body[..<1000]), .waitFor(gate), .send(Array(body[1000...])),
            .readUntilClosed,
        ])
        let manager = URLSessionManager.test()
        let places = EventRecorder<UInt>()
        @Sendable func note(_ data: Data) {
            places.record(data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
        }
        manager.setDataTaskDidReceiveData { _, task, _ in
            if places.events.isEmpty { note(task.collectedBody) }
            gate.open()
        }
        manager.responseSerializer = ScriptedSerializer { _, data in
            if let data { note(data) }
            return (data, nil)
        }
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        #expect(try await completions.only().object as? Data == Data(body))
        // The first piece is where all others were added.
        #expect(places.events.count == 2)
        #expect(Set(places.events).count == 1)
        // The task doesn't retain it.
        #expect(task.collectedBody.isEmpty)
    }

    // MARK: Handlers

    @Test("S-40: A redirect handler follows, replaces or refuses a redirect")
    func redirectHandlerDecides() async throws {
        let server = try LoopbackServer { request in
            request.path == "/from" ? .redirect(302, to: "/to") : .text(request.path)
        }
        let manager = URLSessionManager.test()
        #expect(try await manager.load(server.request("/from")).text == "/to")
        let hops = EventRecorder<String>()
        let elsewhere = try server.request("/elsewhere")
        manager.setTaskWillPerformHTTPRedirection { _, _, response, request in
            hops.record("\(response.statusCode) \(request.url?.path ?? "")")
            return elsewhere
        }
        #expect(try await manager.load(server.request("/from")).text == "/elsewhere")
        #expect(hops.events == ["302 /to"])
        manager.setTaskWillPerformHTTPRedirection { _, _, _, _ in nil }
        #expect(try await manager.load(server.request("/from")).status == 302)
        manager.setTaskWillPerformHTTPRedirection(nil)
        #expect(try await manager.load(server.request("/from")).text == "/to")
    }

    @Test("S-40: The handler is called for each redirect, with the method of the next request")
    func redirectHandlerIsCalledForEachRedirect() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/1": .redirect(303, to: "/2")
            case "/2": .redirect(307, to: "/3")
            default: .text(request.method)
            }
        }
        let manager = URLSessionManager.test()
        let hops = EventRecorder<String>()
        manager.setTaskWillPerformHTTPRedirection { _, _, response, request in
            hops.record("\(response.statusCode) \(request.httpMethod ?? "")")
            return request
        }
        let request = try server.request("/1", method: "POST", body: Data("hi".utf8))
        #expect(try await manager.load(request).text == "GET")
        #expect(hops.events == ["303 GET", "307 GET"])
    }

    @Test("S-40: Credentials are sent to the same origin, but not to another")
    func credentialsAreNotSentToAnotherOrigin() async throws {
        let elsewhere = try LoopbackServer { _ in .text("hello") }
        let target = elsewhere.at("/to")
        let server = try LoopbackServer { request in
            request.path == "/from" ? .redirect(302, to: "/same") : .redirect(302, to: target)
        }
        let manager = URLSessionManager.test()
        var request = try server.request("/from")
        let secrets = [
            ("Authorization", "Bearer s3cret"), ("Cookie", "a=s3cret"), ("X-API-Key", "s3cret"),
        ]
        for (name, value) in secrets { request.setValue(value, forHTTPHeaderField: name) }
        #expect(try await manager.load(request).text == "hello")
        manager.setTaskWillPerformHTTPRedirection { _, _, _, request in request }
        #expect(try await manager.load(request).text == "hello")
        #expect(server.requestCount == 4)
        #expect(elsewhere.requestCount == 2)
        for (name, value) in secrets {
            #expect(server.requests.allSatisfy { $0.header(name) == value }, "\(name)")
            #expect(elsewhere.requests.allSatisfy { $0.header(name) == nil }, "\(name)")
        }
    }

    @Test("S-47: A response handler accepts or rejects the body")
    func responseHandlerAcceptsOrRejects() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let statuses = EventRecorder<Int?>()
        manager.setDataTaskDidReceiveResponse { _, _, response in
            statuses.record((response as? HTTPURLResponse)?.statusCode)
            return .allow
        }
        #expect(try await manager.load(server.request()).text == "hello")
        #expect(statuses.events == [200])
        manager.setDataTaskDidReceiveResponse { _, _, _ in .cancel }
        #expect(try await manager.load(server.request()).code == -999)
    }

    @Test("S-47, S-48, T-09: A data task that becomes a download keeps its completion handler")
    func aDataTaskBecomesADownload() async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let events = EventRecorder<String>()
        let file = URL(fileURLWithPath: folder.path("file"))
        manager.setDataTaskDidReceiveResponse { _, _, _ in .becomeDownload }
        manager.setDataTaskDidBecomeDownloadTask { [weak manager] _, former, task in
            events.record("became \(former !== task)")
            // The download task takes over the data task's progress.
            events.record("progress \(manager?.downloadProgress(for: task) != nil)")
        }
        manager.setDownloadTaskDidFinishDownloading { _, _, _ in
            events.record("finished")
            return file
        }
        let completion = try await manager.load(server.request())
        #expect(events.events == ["became true", "progress true", "finished"])
        #expect(completion.file == file)
        #expect(try folder.read("file") == Array("hello".utf8))
    }

    @Test("T-09: Without a destination, the file of a task that became a download is deleted")
    func fileWithoutDestinationIsDeleted() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        manager.setDataTaskDidReceiveResponse { _, _, _ in .becomeDownload }
        let written = Watched<URL?>(nil)
        manager.setDownloadTaskDidFinishDownloading { _, _, location in
            let exists = FileManager.default.fileExists(atPath: location.path)
            written.update { $0 = exists ? location : nil }
            return nil
        }
        let completion = try await manager.load(server.request())
        #expect(completion.object as? Data == Data())
        #expect(completion.error == nil)
        // The file is deleted before any other event of the task.
        let location = try #require(written.read { $0 })
        #expect(!FileManager.default.fileExists(atPath: location.path))
    }

    @Test("S-49: The data handler gets each chunk after it has been collected")
    func dataHandlerGetsEachChunk() async throws {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none"
        let server = try LoopbackServer.scripted([
            .readHead, .send(head), .waitFor(gate), .send("two"), .readUntilClosed,
        ])
        let manager = URLSessionManager.test()
        let pieces = EventRecorder<String>()
        let collected = EventRecorder<String>()
        manager.setDataTaskDidReceiveData { _, task, data in
            pieces.record(String(decoding: data, as: UTF8.self))
            collected.record(String(decoding: task.collectedBody, as: UTF8.self))
            gate.open()
        }
        #expect(try await manager.load(server.request()).text == "onetwo")
        #expect(pieces.events == ["one", "two"])
        #expect(collected.events == ["one", "onetwo"])
    }

    @Test("S-50: A handler decides whether a response is cached")
    func handlerDecidesAboutCaching() async throws {
        let server = try LoopbackServer { request in
            .text("hello").header("Cache-Control", "max-age=600")
        }
        let manager = URLSessionManager.test()
        let proposals = EventRecorder<Int>()
        manager.setDataTaskWillCacheResponse { _, _, proposal in
            proposals.record(proposal.data.count)
            return nil
        }
        _ = try await manager.load(server.request("/refused"))
        _ = try await manager.load(server.request("/refused"))
        #expect(server.requestCount == 2)
        #expect(proposals.events == [5, 5])
        manager.setDataTaskWillCacheResponse(nil)
        _ = try await manager.load(server.request("/kept"))
        #expect(try await manager.load(server.request("/kept")).text == "hello")
        #expect(server.requestCount == 3)
    }

    @Test("S-46: The metrics handler is called for each task")
    func metricsHandlerIsCalledForEachTask() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let metrics = EventRecorder<URLSessionTaskMetrics>()
        manager.setTaskDidFinishCollectingMetrics { _, _, delivered in metrics.record(delivered) }
        _ = try await manager.load(server.request())
        // Also for tasks that the manager didn't create.
        manager.session.dataTask(with: try server.request()).resume()
        let all = try await metrics.wait(count: 2)
        #expect(all.allSatisfy { $0.transactionMetrics.count == 1 })
    }

    @Test("S-45: The handler for completed tasks gets a failed task's error")
    func completionHandlerForAllTasksGetsTheError() async throws {
        let server = try LoopbackServer.scripted([.readHead, .reset])
        let manager = URLSessionManager.test()
        let codes = EventRecorder<Int?>()
        manager.setTaskDidComplete { _, _, error in
            codes.record((error as? URLError)?.code.rawValue)
        }
        let completion = try await manager.load(server.request())
        #expect(codes.events == [completion.code])
        #expect(completion.code == URLError.networkConnectionLost.rawValue)
    }

    @Test("S-55: A suspended task continues when it is resumed")
    func suspendedTaskContinuesWhenResumed() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/held" ? .text("hello").after(gate) : .text("other")
        }
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request("/held"),
            completionHandler: completions.handler
        )
        task.resume()
        try await server.requests(count: 1)
        task.suspend()
        #expect(task.state == .suspended)
        gate.open()
        // Other tasks complete meanwhile.
        #expect(try await manager.load(server.request()).text == "other")
        #expect(completions.events.isEmpty)
        task.resume()
        #expect(try await completions.only().text == "hello")
    }

    @Test("S-56: A task that is cancelled twice completes once")
    func aCancelledTaskCompletesOnce() async throws {
        let server = try LoopbackServer { _ in .steps([.stall]) }
        let manager = URLSessionManager.test()
        let completions = EventRecorder<Completion>()
        let task = manager.dataTask(
            with: try server.request(),
            completionHandler: completions.handler
        )
        task.resume()
        try await server.requests(count: 1)
        task.cancel()
        task.cancel()
        #expect(try await completions.only().code == -999)
        await manager.settle()
        #expect(completions.events.count == 1)
        #expect(task.state == .completed)
    }
}
