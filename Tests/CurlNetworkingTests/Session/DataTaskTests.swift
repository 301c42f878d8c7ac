internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// What becomes of data tasks, and the handlers that have a say in it.
@Suite(.timeLimit(.minutes(10))) struct DataTaskTests {
    @Test("S-30, T-02, T-06: a data task's completion has the response and the object")
    func aDataTaskCompletes() async throws {
        let server = try LoopbackServer { _ in .chunked(["one", "two"].map { Array($0.utf8) }) }
        let manager = URLSessionManager.test()
        let completion = try await manager.load(server.request())
        #expect(completion.status == 200)
        #expect(completion.text == "onetwo")
        #expect(completion.error == nil)
    }

    @Test("T-02, T-07: what answers an upload is collected, and what a download writes isn't")
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

    @Test("S-30: a task needs neither handlers nor a completion")
    func aTaskNeedsNoHandler() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let task = manager.dataTask(with: try server.request(), completionHandler: nil)
        let recorder = NotificationRecorder(of: task)
        task.resume()
        #expect(try await recorder.first(.networkingTaskDidComplete).object as? Data != nil)
    }

    @Test("T-05: a failure's completion has the response there was, and no object")
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
        #expect(asked.events.isEmpty)
    }

    @Test("T-06: object and error may come together")
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

    @Test("T-03: a serializer is handed the body without a copy")
    func aBodyIsNotCopied() async throws {
        var state = TaskDelegateState(manager: URLSessionManager.test(), wishes: TaskWishes())
        let body = Data([UInt8](count: 100_000) { UInt8(truncatingIfNeeded: $0) })
        func place(_ data: Data) -> UInt {
            data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        }
        state.append(body)
        let remains = state.end()
        #expect(place(remains.data) == place(body))
        // And it isn't kept.
        #expect(state.end().data.isEmpty)
    }

    // MARK: Handlers

    @Test("S-40: a redirect is followed, changed or taken as the response")
    func aRedirectIsDecidedUpon() async throws {
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

    @Test("S-40: every hop is asked about, and the method is that of the next request")
    func everyHopIsAskedAbout() async throws {
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

    @Test("S-40: credentials don't go to another origin, and to the same one they do")
    func credentialsDoNotGoElsewhere() async throws {
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

    @Test("S-47: a response's body is let in or refused")
    func aResponseIsLetInOrRefused() async throws {
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

    @Test("S-47, S-48, T-09: a data task becomes a download, and keeps its completion")
    func aDataTaskBecomesADownload() async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let events = EventRecorder<String>()
        let file = URL(fileURLWithPath: folder.path("file"))
        manager.setDataTaskDidReceiveResponse { _, _, _ in .becomeDownload }
        manager.setDataTaskDidBecomeDownloadTask { [weak manager] _, former, task in
            events.record("became \(former !== task)")
            // What there is of the former one is the new one's.
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

    @Test("T-09: without a place for it, the file of a task that became a download isn't kept")
    func aFileWithoutAPlaceIsNotKept() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        manager.setDataTaskDidReceiveResponse { _, _, _ in .becomeDownload }
        let written = Watched<URL?>(nil)
        manager.setDownloadTaskDidFinishDownloading { _, _, location in
            let isThere = FileManager.default.fileExists(atPath: location.path)
            written.update { $0 = isThere ? location : nil }
            return nil
        }
        let completion = try await manager.load(server.request())
        #expect(completion.object as? Data == Data())
        #expect(completion.error == nil)
        // It goes before anything more is told of the task.
        let location = try #require(written.read { $0 })
        #expect(!FileManager.default.fileExists(atPath: location.path))
    }

    @Test("S-49: pieces are told of after they were collected")
    func piecesAreToldOf() async throws {
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
            let delegate = task.delegate as? URLSessionManagerTaskDelegate
            let body = delegate?.endOfAttempt.data ?? Data()
            collected.record(String(decoding: body, as: UTF8.self))
            gate.open()
        }
        #expect(try await manager.load(server.request()).text == "onetwo")
        #expect(pieces.events == ["one", "two"])
        #expect(collected.events == ["one", "onetwo"])
    }

    @Test("S-50: what is cached of a response is decided upon")
    func whatIsCachedIsDecidedUpon() async throws {
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

    @Test("S-46: metrics are told of")
    func metricsAreToldOf() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let manager = URLSessionManager.test()
        let metrics = EventRecorder<URLSessionTaskMetrics>()
        manager.setTaskDidFinishCollectingMetrics { _, _, told in metrics.record(told) }
        _ = try await manager.load(server.request())
        // Also of tasks that the manager didn't create.
        manager.session.dataTask(with: try server.request()).resume()
        let all = try await metrics.wait(count: 2)
        #expect(all.allSatisfy { $0.transactionMetrics.count == 1 })
    }

    @Test("S-45: a failed task's own error is told when it is over")
    func aFailedTasksErrorIsTold() async throws {
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

    @Test("S-55: a suspended task goes on when it is resumed")
    func aSuspendedTaskGoesOn() async throws {
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
        // Others have their turn meanwhile.
        #expect(try await manager.load(server.request()).text == "other")
        #expect(completions.events.isEmpty)
        task.resume()
        #expect(try await completions.only().text == "hello")
    }

    @Test("S-56: a cancelled task completes once, whenever that is")
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
