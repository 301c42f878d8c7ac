internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTPClientTests {
    @Test func requestGetsResponse() async throws {
        let server = try LoopbackServer { .text("\($0.method) \($0.bodyText)", status: 404) }
        let response = try await HTTPClient.shared.send(
            HTTPRequest(method: .put, url: server.url + "/a"),
            body: .text("x")
        )
        #expect(response.status.code == 404)
        #expect(response.headerFields[.contentType] == "text/plain")
        #expect(response.url == server.url + "/a")
        #expect(try await response.body.collect(upTo: 100) == Array("PUT x".utf8))
        #expect(response.metrics?.bodyBytes == 5)
    }

    @Test func trailersAreAvailableAfterBody() async throws {
        let server = try LoopbackServer { _ in .chunked([[65]], trailers: [("T", "v")]) }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url))
        _ = try await response.body.collect(upTo: 1)
        #expect(response.trailers?.first?.value == "v")
    }

    @Test func cancelledTaskCancelsTransferBeforeHead() async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let client = try HTTPClient()
        let url = server.url
        let task = Task { try await client.send(HTTPRequest(url: url)) }
        _ = try await server.requestHead(0)
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        try await server.connectionClosed(0)
    }

    @Test func cancelledTaskCancelsTransferDuringBody() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .stall,
        ])
        let client = try HTTPClient()
        let url = server.url
        let started = Gate()
        let task = Task {
            let response = try await client.send(HTTPRequest(url: url))
            started.open()
            return try await response.body.collect(upTo: 100)
        }
        try await started.wait()
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        try await server.connectionClosed(0)
    }

    @Test func alreadyCancelledTaskSendsNothing() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient()
        let url = server.url
        let gate = Gate()
        let task = Task {
            try? await gate.wait()
            return try await client.send(HTTPRequest(url: url))
        }
        task.cancel()
        gate.open()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        #expect(server.requestCount == 0)
    }

    @Test func releasedBodyFreesItsConnection() async throws {
        let server = try LoopbackServer { _ in
            Reply(body: .repeating([UInt8](repeating: 1, count: 1 << 16), times: 1 << 10))
        }
        let client = try HTTPClient()
        do {
            let response = try await client.send(HTTPRequest(url: server.url))
            #expect(response.status.code == 200)
        }
        try await server.connectionClosed(0)
        do {
            let response = try await client.send(HTTPRequest(url: server.url))
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() != nil)
        }
        try await server.connectionClosed(1)
    }

    @Test func responseIsReadableAfterClientIsReleased() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Content-Length", "2")],
                body: .steps([.send("a"), .waitFor(gate), .send("b")])
            )
        }
        let response = try await HTTPClient().send(HTTPRequest(url: server.url))
        gate.open()
        #expect(try await response.body.collect(upTo: 2) == Array("ab".utf8))
    }

    @Test func brokenBodyThrowsAfterReceivedBytes() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close,
        ])
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url))
        let error = await #expect(throws: TransportError.self) {
            for try await _ in response.body {}
        }
        #expect(error?.code == .truncatedResponse)
        #expect(response.metrics != nil)
    }

    @Test(arguments: ["follow", "refuse", "later", "changed"])
    func redirectHookDecides(_ answer: String) async throws {
        let server = try LoopbackServer { request in
            request.path == "/start" ? .redirect(to: "/end") : .text(request.path)
        }
        let changed = try HTTPRequest(url: server.url + "/changed")
        var hooks = ClientHooks()
        hooks.redirect = { redirect in
            switch answer {
            case "follow": .follow
            case "later": .later
            case "changed": .followChanged(changed)
            default: .refuse
            }
        }
        var options = TransferOptions()
        options.redirects = .ask
        let client = try HTTPClient(options: options, hooks: hooks)
        let response = try await client.send(HTTPRequest(url: server.url + "/start"))
        let text = String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
        switch answer {
        case "follow":
            #expect(text == "/end")
            #expect(response.url == server.url + "/end")
        case "changed":
            #expect(text == "/changed")
            #expect(response.url == server.url + "/changed")
        default:
            // A hook can't answer later: the redirect isn't followed.
            #expect(response.status.code == 302)
            #expect(response.url == server.url + "/start")
        }
    }

    @Test func responseURLIsThatOfLastRedirect() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("x") : .redirect(to: "/end")
        }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(url: server.url))
        #expect(response.url == server.url + "/end")
    }

    /// Callers may keep many small responses for a long time.
    @Test(arguments: [false, true])
    func smallBodyAfterLargeHeadUsesLittleMemory(_ comesLate: Bool) async throws {
        let gate = Gate()
        let long = String(repeating: "v", count: 9_000)
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("A", long), ("Content-Length", "10")],
                body: .steps((comesLate ? [.waitFor(gate)] : []) + [.send("0123456789")])
            )
        }
        let client = try HTTPClient()
        let request = try HTTPRequest(url: server.url)
        for _ in 0..<3 {
            let response = try await client.send(request)
            #expect(response.headerFields.first?.value == long)
            async let bytes = response.body.collect(upTo: 100)
            gate.open()
            #expect(try await bytes == Array("0123456789".utf8))
            #expect(try await bytes.capacity < 1_024)
        }
        var chunks: [[UInt8]] = []
        for try await chunk in try await client.send(request).body { chunks.append(chunk) }
        #expect(chunks.joined().elementsEqual("0123456789".utf8))
        #expect(chunks.allSatisfy { $0.capacity < 1_024 })
    }

    @Test func shutDownClientThrowsShutdown() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient()
        await client.shutdown()
        let error = await #expect(throws: TransportError.self) {
            try await client.send(HTTPRequest(url: server.url))
        }
        #expect(error?.code == .shutdown)
        await client.shutdown()
    }

    @Test func concurrentTasksSucceedWhileSomeAreCancelled() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let client = try HTTPClient()
        let url = server.url
        let tasks = (0..<300).map { index in
            Task {
                let response = try await client.send(HTTPRequest(url: "\(url)/\(index)"))
                return try await response.body.collect(upTo: 100)
            }
        }
        for index in stride(from: 0, to: 300, by: 3) { tasks[index].cancel() }
        for (index, task) in tasks.enumerated() {
            switch await task.result {
            case .success(let bytes):
                #expect(bytes == Array("/\(index)".utf8))
            case .failure(let error):
                #expect(index % 3 == 0)
                #expect((error as? TransportError)?.code == .cancelled)
            }
        }
    }
}
