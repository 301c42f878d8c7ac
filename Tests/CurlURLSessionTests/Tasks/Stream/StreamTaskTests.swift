internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct StreamTaskTests {
    /// A server that echoes everything until the client closes its side.
    private static func echo() throws -> LoopbackServer {
        try .scripted([.converse { $0.isEmpty ? [] : [.send($0)] }])
    }

    private static func task(
        _ server: LoopbackServer,
        _ session: URLSession
    ) -> URLSessionStreamTask {
        session.streamTask(withHostName: "127.0.0.1", port: server.port)
    }

    private func read(
        _ task: URLSessionStreamTask,
        _ least: Int = 1,
        _ most: Int = 1 << 20
    ) async throws -> (text: String, isAtEnd: Bool) {
        let (data, isAtEnd) = try await task.readData(
            ofMinLength: least,
            maxLength: most,
            timeout: 0
        )
        return (String(decoding: data ?? Data(), as: UTF8.self), isAtEnd)
    }

    // MARK: Bytes

    @Test("E10: Bytes are sent both ways, and the delegate gets its events in order")
    func bytesGoBothWaysWithEventsInOrder() async throws {
        let server = try Self.echo()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = Self.task(server, session)
        #expect(task.originalRequest == nil && task.currentRequest == nil)
        async let early = task.readData(ofMinLength: 5, maxLength: 5, timeout: 0)
        task.resume()
        try await task.write(Data("hello".utf8), timeout: 0)
        #expect(try await early.0 == Data("hello".utf8))
        try await task.write(Data(), timeout: 0)
        try await task.write(Data("there".utf8), timeout: 100)
        task.closeWrite()
        #expect(try await read(task, 100, 100) == ("there", true))
        #expect(try await read(task) == ("", true))
        #expect(try await delegate.completion() == nil)
        #expect(
            delegate.events == [.writeClosed, .readClosed, .metrics(1), .completed(nil)]
        )
        #expect(task.state == .completed && task.error == nil && task.response == nil)
        #expect(try await read(task) == ("", true))
        await expectFailure(.networkConnectionLost) { try await task.write(Data([1]), timeout: 0) }
        session.invalidateAndCancel()
    }

    @Test func readsAreServedInOrder() async throws {
        let server = try LoopbackServer.scripted([.send("abcdefgh"), .readUntilClosed])
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession.test(queue: queue)
        let task = Self.task(server, session)
        let results = EventRecorder<String>()
        for range in [3...3, 1...1, 4...9] {
            task.readData(
                ofMinLength: range.lowerBound,
                maxLength: range.upperBound,
                timeout: 300
            ) { data, isAtEnd, error in
                #expect(OperationQueue.current === queue)
                #expect(error == nil && !isAtEnd)
                results.record(String(decoding: data ?? Data(), as: UTF8.self))
            }
        }
        task.resume()
        #expect(try await results.wait(count: 3) == ["abc", "d", "efgh"])
        session.invalidateAndCancel()
    }

    @Test func manyBytesGoBothWays() async throws {
        let server = try Self.echo()
        let session = URLSession.test()
        let task = Self.task(server, session)
        task.resume()
        let sent = Data([UInt8](count: 3_000_000) { UInt8(truncatingIfNeeded: $0 / 7) })
        let writing = Task { try await task.write(sent, timeout: 0) }
        var received = Data()
        while received.count < sent.count {
            let (data, isAtEnd) = try await task.readData(
                ofMinLength: 1,
                maxLength: 100_000,
                timeout: 0
            )
            received.append(data ?? Data())
            try #require(!isAtEnd)
        }
        #expect(received == sent)
        try await writing.value
        session.invalidateAndCancel()
    }

    /// The kernel buffers up to 32 MiB for a socket here.
    @Test func serverWaitsWhenNothingIsRead() async throws {
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        let server = try LoopbackServer.scripted([.sendRepeating(piece, times: 64), .halfClose])
        let session = URLSession.test()
        let task = Self.task(server, session)
        task.resume()
        try await server.blocked()
        var count = 0
        while true {
            let (data, isAtEnd) = try await task.readData(
                ofMinLength: 1 << 20,
                maxLength: 1 << 20,
                timeout: 0
            )
            count += data?.count ?? 0
            if isAtEnd { break }
        }
        #expect(count == 64 << 20)
        session.invalidateAndCancel()
    }

    @Test func suspendedTaskSendsAndReceivesNothing() async throws {
        let server = try Self.echo()
        let session = URLSession.test()
        let (task, other) = (Self.task(server, session), Self.task(server, session))
        for task in [task, other] {
            task.resume()
            try await task.write(Data("a".utf8), timeout: 0)
            #expect(try await read(task).text == "a")
        }
        task.suspend()
        let sent = Gate()
        task.write(Data("b".utf8), timeout: 0) { _ in sent.open() }
        try await other.write(Data("c".utf8), timeout: 0)
        #expect(try await read(other).text == "c")
        #expect(!sent.isOpen)
        task.resume()
        try await sent.wait()
        #expect(try await read(task).text == "b")
        session.invalidateAndCancel()
    }

    // MARK: Timeouts

    @Test func timedOutReadFailsAlone() async throws {
        let server = try Self.echo()
        let session = URLSession.test()
        let task = Self.task(server, session)
        task.resume()
        await expectFailure(.timedOut) {
            _ = try await task.readData(ofMinLength: 1, maxLength: 1, timeout: 0.2)
        }
        #expect(task.state == .running)
        try await task.write(Data("x".utf8), timeout: 0)
        #expect(try await read(task).text == "x")
        session.invalidateAndCancel()
    }

    @Test func partiallySentWriteThatTimesOutEndsTheTask() async throws {
        let server = try LoopbackServer.scripted([.stall])
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = Self.task(server, session)
        task.resume()
        let much = Data(count: 64 << 20)
        // Long enough for a busy machine to connect and to send the first bytes.
        await expectFailure(.timedOut) { try await task.write(much, timeout: 3) }
        #expect(try await delegate.completion() == URLError.Code.timedOut.rawValue)
        session.invalidateAndCancel()
    }

    // MARK: Closing and failures

    @Test func bothSidesCanBeClosedLocally() async throws {
        let server = try Self.echo()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = Self.task(server, session)
        async let last = task.readData(ofMinLength: 1, maxLength: 1, timeout: 0)
        async let sent: Void = task.write(Data("x".utf8), timeout: 0)
        task.resume()
        try await sent
        _ = try await last
        task.closeRead()
        await expectFailure(.networkConnectionLost) { _ = try await read(task) }
        try await delegate.event(.readClosed)
        task.closeWrite()
        await expectFailure(.networkConnectionLost) { try await task.write(Data([1]), timeout: 0) }
        #expect(try await delegate.completion() == nil)
        #expect(
            delegate.events == [.readClosed, .writeClosed, .metrics(1), .completed(nil)]
        )
        session.invalidateAndCancel()
    }

    @Test func connectionResetFailsTheTask() async throws {
        let server = try LoopbackServer.scripted([.converse { _ in [.reset] }])
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = Self.task(server, session)
        task.resume()
        try await task.write(Data("x".utf8), timeout: 0)
        await expectFailure(.networkConnectionLost) { _ = try await read(task) }
        #expect(try await delegate.completion() == URLError.Code.networkConnectionLost.rawValue)
        session.invalidateAndCancel()
    }

    @Test(arguments: [true, false]) func streamTaskCanBeCancelled(_ isResumed: Bool) async throws {
        let server = try Self.echo()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = Self.task(server, session)
        let reading = Task { try await read(task) }
        if isResumed {
            task.resume()
            try await task.write(Data("ab".utf8), timeout: 0)
            #expect(try await reading.value.text.isEmpty == false)
        }
        session.invalidateAndCancel()
        #expect(try await delegate.completion() == URLError.Code.cancelled.rawValue)
        if !isResumed { await expectFailure(.cancelled) { _ = try await reading.value } }
        await expectFailure(.cancelled) { _ = try await read(task, 10, 10) }
        await expectFailure(.cancelled) { try await task.write(Data([1]), timeout: 0) }
    }

    @Test(arguments: [("", 80), ("127.0.0.1", 0), ("127.0.0.1", 70_000), ("a b/c", 80)])
    func invalidEndpointFailsTheTask(_ host: String, _ port: Int) async throws {
        let session = URLSession.test()
        let task = session.streamTask(withHostName: host, port: port)
        task.resume()
        await expectFailure(.badURL) { _ = try await read(task) }
        session.invalidateAndCancel()
    }

    @Test(arguments: ["::1", "127.0.0.1"])
    func unreachableServerFailsTheTask(_ host: String) async throws {
        let session = URLSession.test()
        let task = session.streamTask(withHostName: host, port: 1)
        task.resume()
        do {
            _ = try await read(task)
            Issue.record("it didn't fail")
        } catch {
            let code = (error as? URLError)?.code
            #expect(code == .cannotConnectToHost || code == .notConnectedToInternet, "\(error)")
        }
        session.invalidateAndCancel()
    }

    @Test func taskWithoutASessionFails() async throws {
        let task = URLSessionStreamTask()
        await expectFailure(.unknown) { _ = try await read(task) }
        await expectFailure(.unknown) { try await task.write(Data(), timeout: 0) }
        let error: (any Error)? = await awaitHandler { done in
            task.write(Data(), timeout: 0, completionHandler: done)
        }
        #expect((error as? URLError)?.code == .unknown)
        task.closeRead()
        task.closeWrite()
    }

    // MARK: TLS

    @Test("E10: Bytes are sent over TLS", .enabled(if: TLSRelayPeer.isAvailable))
    func bytesGoOverTLS() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port)
        defer { relay.stop() }
        let delegate = SocketDelegate { challenge, completion in
            let trust = challenge.protectionSpace.serverTrust
            completion(.useCredential, trust.map { URLCredential(trust: $0) })
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.streamTask(withHostName: "localhost", port: relay.port)
        task.startSecureConnection()
        task.resume()
        try await task.write(Data("secret".utf8), timeout: 0)
        #expect(try await read(task, 6, 6).text == "secret")
        #expect(delegate.events == [.challenge(NSURLAuthenticationMethodServerTrust)])
        task.stopSecureConnection()
        await expectFailure(.secureConnectionFailed) { _ = try await read(task) }
        session.invalidateAndCancel()
    }

    @Test(
        "A session asks its delegate about the certificate of each stream",
        .enabled(if: TLSRelayPeer.isAvailable)
    )
    func eachStreamAsksForTrust() async throws {
        let server = try Self.echo()
        let relay = try await TLSRelayPeer.start(port: server.port, identity: { $0.selfSigned })
        defer { relay.stop() }
        let isStrict = Gate()
        let delegate = SocketDelegate.trusting(until: isStrict, then: .performDefaultHandling)
        let session = URLSession.test(delegate: delegate)
        let tasks = (0..<2).map { _ in
            session.streamTask(withHostName: "localhost", port: relay.port)
        }
        for task in tasks { task.startSecureConnection() }
        tasks[0].resume()
        try await tasks[0].write(Data("first".utf8), timeout: 0)
        #expect(try await read(tasks[0], 5, 5).text == "first")
        isStrict.open()
        tasks[1].resume()
        await expectFailure(.serverCertificateHasUnknownRoot) { _ = try await read(tasks[1]) }
        let asked = SocketDelegate.Event.challenge(NSURLAuthenticationMethodServerTrust)
        #expect(delegate.events.count { $0 == asked } == 2)
        // The open stream is still trusted.
        try await tasks[0].write(Data("later".utf8), timeout: 0)
        #expect(try await read(tasks[0], 5, 5).text == "later")
        session.invalidateAndCancel()
    }

    @Test func tlsCannotStartOnAnExistingConnection() async throws {
        let server = try Self.echo()
        let delegate = SocketDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = Self.task(server, session)
        task.startSecureConnection()
        task.stopSecureConnection()
        task.resume()
        try await task.write(Data("clear".utf8), timeout: 0)
        #expect(try await read(task, 5, 5).text == "clear")
        task.stopSecureConnection()
        #expect(task.state == .running)
        task.startSecureConnection()
        #expect(
            try await delegate.completion() == URLError.Code.secureConnectionFailed.rawValue
        )
        session.invalidateAndCancel()
    }
}
