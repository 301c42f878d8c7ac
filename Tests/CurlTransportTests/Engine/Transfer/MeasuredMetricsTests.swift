internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct MeasuredMetricsTests {
    /// The measured moments in order.
    private func moments(_ metrics: TransferMetrics) -> [Duration] {
        [
            metrics.lastRequestStart, metrics.nameLookupEnd, metrics.connectEnd, metrics.tlsEnd,
            metrics.requestStart, metrics.firstByte, metrics.total,
        ].compactMap { $0 }
    }

    @Test func reusedConnectionHasNoConnectTimes() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let rig = try Rig()
        let first = try #require(try await rig.fetch(server.url).metrics)
        let second = try #require(try await rig.fetch(server.url).metrics)
        for metrics in [first, second] {
            #expect(moments(metrics) == moments(metrics).sorted())
            #expect(metrics.requestStart != nil)
            #expect(metrics.firstByte != nil)
            #expect(metrics.total > .zero)
            #expect(metrics.tlsEnd == nil)
            #expect(metrics.remoteAddress == "127.0.0.1")
            #expect(metrics.remotePort == server.port)
            #expect(metrics.localAddress == "127.0.0.1")
            #expect(metrics.httpVersion == "1.1")
            #expect(metrics.bodyBytes == 5)
            #expect(metrics.redirectCount == 0)
        }
        #expect(!first.isConnectionReused)
        #expect(first.connect != nil)
        #expect(second.isConnectionReused)
        #expect(second.connect == nil)
        #expect(first.localPort == second.localPort)
    }

    @Test(arguments: [0, 10, 16 * 1024, 1 << 20])
    func byteCountsMatchTheWire(_ size: Int) async throws {
        let server = try LoopbackServer { .text("hello \($0.bodyByteCount)").closing() }
        let delegate = try await Rig().fetch(
            server.url,
            method: .post,
            body: .bytes([UInt8](repeating: 1, count: size))
        )
        let metrics = try #require(delegate.metrics)
        let record = try await server.connectionClosed(0)
        #expect(metrics.requestBytes == Int64(record.bytesReceived))
        #expect(metrics.responseBytes == Int64(record.bytesSent))
        // Without a coding, all bytes except the body belong to heads.
        #expect(metrics.responseHeadBytes == metrics.responseBytes - metrics.bodyBytes)
        #expect(metrics.responseHeadBytes > 0)
    }

    @Test func queueTimeIsSeparate() async throws {
        let gate = Gate()
        let server = try LoopbackServer { $0.path == "/1" ? .text("1").after(gate) : .text("2") }
        let rig = try Rig { $0.maximumConnections = 1 }
        let first = RecordingDelegate()
        let second = RecordingDelegate()
        let other = try Rig()
        try rig.start(server.url + "/1", delegate: first)
        _ = try await server.requestHead(0)
        let start = ContinuousClock.now
        try rig.start(server.url + "/2", delegate: second)
        // The end of this transfer shows that the loop has queued the previous one.
        let third = RecordingDelegate()
        try rig.start(server.url + "/3", delegate: third).cancel()
        _ = try await third.failure()
        // The idle timeout of this transfer lets one second pass.
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let clock = RecordingDelegate()
        try other.start(silent.url, delegate: clock) { $0.timeouts.idle = .milliseconds(1000) }
        _ = try await clock.failure()
        gate.open()
        _ = try await second.completion()
        let metrics = try #require(second.metrics)
        #expect(metrics.queue >= .milliseconds(1000))
        let lasted = try #require(second.completed) - start
        #expect(metrics.queue + metrics.total <= lasted)
        #expect(moments(metrics) == moments(metrics).sorted())
    }

    @Test func redirectMetricsAreThoseOfLastRequest() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end"
                ? .text("end") : .redirect(to: "/end").after(.milliseconds(800)).closing()
        }
        let metrics = try #require(try await Rig().fetch(server.url).metrics)
        #expect(metrics.redirectCount == 1)
        #expect(metrics.lastRequestStart >= .milliseconds(800))
        #expect(moments(metrics) == moments(metrics).sorted())
        // No part includes the first request's time.
        let parts = try #require(metrics.nameLookup) + #require(metrics.waiting)
        #expect(metrics.lastRequestStart + parts <= metrics.total)
    }

    @Test func failedTransferHasMetricsOfReachedPhases() async throws {
        let server = try LoopbackServer.scripted([.readHead, .send("HTTP/1.1 200"), .reset])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate)
        let error = try await delegate.failure()
        let metrics = try #require(delegate.metrics)
        #expect(metrics.remotePort == server.port)
        #expect(metrics.connectEnd != nil)
        #expect(metrics.requestStart != nil)
        #expect(moments(metrics) == moments(metrics).sorted())
        #expect(error.peer == "127.0.0.1:\(server.port)")

        let refused = RecordingDelegate()
        let port = try LoopbackServer.unusedPort()
        try rig.start("http://127.0.0.1:\(port)", delegate: refused)
        _ = try await refused.failure()
        #expect(refused.metrics?.connectEnd == nil)
        #expect(refused.metrics?.requestStart == nil)
        #expect(refused.metrics?.firstByte == nil)
    }

    @Test func cancelledTransferHasMetricsOfReachedPhases() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .stall,
        ])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        let handle = try rig.start(server.url, delegate: delegate)
        try await delegate.bodyBytes(3)
        handle.cancel()
        _ = try await delegate.failure()
        #expect(delegate.metrics?.bodyBytes == 3)
        #expect(delegate.metrics?.firstByte != nil)
        #expect(delegate.metrics?.remotePort == server.port)
    }
}
