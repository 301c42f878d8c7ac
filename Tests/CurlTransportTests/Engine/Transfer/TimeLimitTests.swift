internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct TimeLimitTests {
    /// The error of a transfer, and the time until it.
    private func failure(
        _ url: String,
        body: RequestBody = .none,
        timeouts: Timeouts
    ) async throws -> (error: TransportError, time: Duration) {
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let start = ContinuousClock.now
        try rig.start(url, method: .post, body: body, delegate: delegate) { $0.timeouts = timeouts }
        let error = try await delegate.failure()
        let time = try #require(delegate.completed) - start
        #expect(delegate.events.suffix(2) == [.metrics, .completed(error.code)])
        #expect(error.isTimeout)
        // libcurl's own timeouts fire later and would set its code.
        #expect(error.curlCode == nil, "the loop keeps the limit")
        return (error, time)
    }

    @Test(arguments: [Duration.milliseconds(150), .zero, .seconds(-1)])
    func requestMayShortenTotalTimeout(_ limit: Duration) async throws {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let start = ContinuousClock.now
        var options = TransferOptions.patient
        options.timeouts.total = .seconds(600)
        let request = TransferRequest(
            try HTTPRequest(url: server.url),
            options: try PreparedOptions(options),
            timeLimit: limit
        )
        rig.transport.start(request, delegate: delegate)
        let error = try await delegate.failure()
        let time = try #require(delegate.completed) - start
        #expect(error.code == .deadlineExceeded)
        #expect(time >= limit)
        #expect(error.message.contains("within \(limit)"))
        await rig.transport.shutdown()
        #expect(limit > .zero || server.acceptedConnectionCount == 0)
    }

    @Test func connectTimeoutEndsAttempt() async throws {
        let listener = try FullListener()
        let (error, time) = try await failure(
            listener.url,
            timeouts: Timeouts(connect: .milliseconds(150))
        )
        #expect(error.code == .connectTimeout)
        #expect(error.phase == .tcp)
        #expect(error.peer == nil)
        #expect(time >= .milliseconds(150))
    }

    /// The other timeouts are off or long, so only this one can fire.
    @Test(arguments: [Duration?.none, .seconds(30)])
    func firstByteTimeoutEndsTransfer(_ other: Duration?) async throws {
        let server = try LoopbackServer.scripted([.readHead, .readBody, .stall])
        let (error, time) = try await failure(
            server.url,
            body: .text("x"),
            timeouts: Timeouts(connect: other, idle: other, firstByte: .milliseconds(150))
        )
        #expect(error.code == .firstByteTimeout)
        #expect(error.phase == .waiting)
        #expect(error.peer == "127.0.0.1:\(server.port)")
        #expect(time >= .milliseconds(150))
    }

    @Test func firstByteTimeoutStartsAfterRequestIsSent() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let stream = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1])
            gate.onOpen {
                continuation.yield([2])
                continuation.finish()
            }
        }
        try rig.start(server.url, method: .post, body: .stream(stream), delegate: delegate) {
            $0.timeouts = Timeouts(connect: nil, idle: nil, firstByte: .seconds(3))
        }
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let other = RecordingDelegate()
        try rig.start(silent.url, delegate: other) { $0.timeouts.firstByte = .milliseconds(3300) }
        #expect(try await other.failure().code == .firstByteTimeout)
        gate.open()
        #expect(try await delegate.completion() == nil)
    }

    @Test func stalledDownloadTimesOut() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .stall,
        ])
        let (error, time) = try await failure(
            server.url,
            timeouts: Timeouts(connect: nil, idle: .seconds(2))
        )
        #expect(error.code == .idleTimeout)
        #expect(error.phase == .receiving)
        #expect(error.peer == "127.0.0.1:\(server.port)")
        #expect(error.bytesReceived == 3)
        #expect(time >= .seconds(2))
    }

    @Test func slowDownloadIsNotIdle() async throws {
        let steps: [Step] = (0..<40).flatMap { _ in [Step.after(.milliseconds(100)), .send("x")] }
        let server = try LoopbackServer.scripted(
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n")] + steps + [.stall]
        )
        let delegate = try await Rig().fetch(server.url) { $0.timeouts.idle = .seconds(3) }
        #expect(delegate.bodyByteCount == 40)
    }

    @Test func unreadUploadTimesOut() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        let server = try LoopbackServer.scripted(options: options, [.readHead, .stall])
        let (error, _) = try await failure(
            server.url,
            body: .bytes([UInt8](repeating: 1, count: 32 << 20)),
            // Long enough for a busy machine to connect.
            timeouts: Timeouts(idle: .seconds(1))
        )
        #expect(error.code == .idleTimeout)
        #expect(error.phase == .sending)
    }

    @Test func slowlyReadUploadIsNotIdle() async throws {
        var options = ServerOptions()
        options.receiveBufferBytes = 8192
        // Each piece is far smaller than what libcurl requests at a time.
        let steps: [Step] = (0..<100).flatMap { _ in
            [Step.after(.milliseconds(50)), .readBodyBytes(8192)]
        }
        let server = try LoopbackServer.scripted(
            options: options,
            [.readHead] + steps + [.readBody, .send("HTTP/1.1 204 No Content\r\n\r\n"), .stall]
        )
        let delegate = try await Rig().fetch(
            server.url,
            method: .post,
            body: .bytes([UInt8](repeating: 1, count: 8 << 20))
        ) {
            $0.timeouts.idle = .seconds(3)
        }
        #expect(delegate.heads[0].statusCode == 204)
    }

    @Test func stalledStreamTimesOut() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let (error, _) = try await failure(
            server.url,
            body: .stream(SilentStream(after: [[1]])),
            // Long enough for a busy machine to connect.
            timeouts: Timeouts(idle: .seconds(1))
        )
        #expect(error.code == .idleTimeout)
        #expect(error.phase == .sending)
    }

    @Test func totalTimeoutEndsTransfer() async throws {
        let steps: [Step] = (0..<1000).flatMap { _ in [Step.after(.milliseconds(20)), .send("x")] }
        let server = try LoopbackServer.scripted(
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")] + steps
        )
        let (error, time) = try await failure(
            server.url,
            // Long enough for a busy machine to receive the head, and shorter than the body takes.
            timeouts: Timeouts(total: .seconds(8))
        )
        #expect(error.code == .deadlineExceeded)
        #expect(error.phase == .receiving)
        #expect(time >= .seconds(8))
    }

    @Test("E7: Time in the queue counts only towards the total timeout")
    func queueTimeCountsOnlyTowardsTotalTimeout() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let rig = try Rig { $0.maximumConnections = 1 }
        let first = RecordingDelegate()
        try rig.start(server.url, delegate: first)
        _ = try await server.requestHead(0)
        let patient = RecordingDelegate()
        try rig.start(server.url, delegate: patient) { options in
            options.timeouts = Timeouts(
                connect: .seconds(3),
                idle: .seconds(3),
                firstByte: .seconds(3)
            )
        }
        let hasty = RecordingDelegate()
        try rig.start(server.url, delegate: hasty) { $0.timeouts.total = .milliseconds(3300) }
        let error = try await hasty.failure()
        #expect(error.code == .deadlineExceeded)
        #expect(error.phase == .queued)
        #expect(!patient.isComplete)
        gate.open()
        #expect(try await first.completion() == nil)
        #expect(try await patient.completion() == nil)
        let metrics = try #require(patient.metrics)
        #expect(metrics.queue >= .seconds(3))
        #expect(server.requestCount == 2)
    }

    /// Rounded to whole seconds, each timeout would fire at once, late or never.
    @Test(arguments: [
        (Timeouts(connect: nil, idle: .milliseconds(950)), TransportError.Code.idleTimeout),
        (Timeouts(connect: nil, firstByte: .milliseconds(950)), .firstByteTimeout),
        // This timeout starts before the transfer, which a busy machine may delay.
        (Timeouts(connect: nil, total: .milliseconds(2950)), .deadlineExceeded),
    ])
    func timeoutsKeepFractionsOfSecond(_ timeouts: Timeouts, _ code: TransportError.Code)
        async throws
    {
        let server = try LoopbackServer.scripted([.readHead, .stall])
        let (error, time) = try await failure(server.url, timeouts: timeouts)
        #expect(error.code == code)
        #expect(error.peer == "127.0.0.1:\(server.port)")
        #expect(time >= timeouts.total ?? .milliseconds(950))
    }

    @Test func speedLimitIsNotIdleness() async throws {
        let bytes = [UInt8](repeating: 1, count: 600_000)
        let server = try LoopbackServer { _ in .bytes(bytes) }
        let rig = try Rig()
        let start = ContinuousClock.now
        async let down = rig.fetch(server.url) { options in
            options.maximumReceiveSpeed = 200_000
            options.timeouts.idle = .seconds(2)
        }
        async let up = rig.fetch(server.url, method: .post, body: .bytes(bytes)) { options in
            options.maximumSendSpeed = 200_000
            options.timeouts.idle = .seconds(2)
        }
        #expect(try await down.bodyByteCount == 600_000)
        #expect(try await up.bodyByteCount == 600_000)
        #expect(ContinuousClock.now - start > .milliseconds(300))
    }

    @Test func totalTimeoutSpansRedirects() async throws {
        let server = try LoopbackServer { request in
            .redirect(to: "/\(request.connection)").after(.milliseconds(60))
        }
        let (error, time) = try await failure(
            server.url,
            timeouts: Timeouts(total: .milliseconds(300))
        )
        #expect(error.code == .deadlineExceeded)
        #expect(time >= .milliseconds(300))
    }
}
