import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// How long transfers may be queued, and how many.
@Suite(.timeLimit(.minutes(10)))
struct QueueLimitTests {
    private let gate = Gate()
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { [gate] request in
            request.path == "/held" ? .text("held").after(gate) : .text("x")
        }
    }

    /// A rig whose only connection is in use until the gate opens.
    private func busyRig(
        _ configure: (inout TransportConfiguration) -> Void = { _ in }
    ) async throws -> (Rig, RecordingDelegate) {
        let rig = try Rig {
            $0.maximumConnections = 1
            configure(&$0)
        }
        let first = RecordingDelegate()
        try rig.start(server.url + "/held", delegate: first)
        _ = try await server.requestHead(0)
        return (rig, first)
    }

    @Test("A transfer that is queued for too long fails with poolTimeout")
    func waitingTooLongEndsWithPoolTimeout() async throws {
        let (rig, first) = try await busyRig()
        let hasty = RecordingDelegate()
        let start = ContinuousClock.now
        try rig.start(server.url, delegate: hasty) { $0.timeouts.queue = .milliseconds(150) }
        let error = try await hasty.failure()
        #expect(error.code == .poolTimeout)
        #expect(error.phase == .queued)
        #expect(error.isTimeout && error.retry == .always && error.peer == nil)
        #expect(error.message.contains("within 0.15 seconds"))
        #expect(try #require(hasty.completed) - start >= .milliseconds(150))
        gate.open()
        #expect(try await first.completion() == nil)
        #expect(server.requestCount == 1)
    }

    @Test("The queue timeout doesn't apply to a transfer that has started")
    func queueTimeoutEndsAtStart() async throws {
        let rig = try Rig()
        let slow = RecordingDelegate()
        try rig.start(server.url + "/held", delegate: slow) {
            $0.timeouts.queue = .milliseconds(100)
        }
        let silent = try LoopbackServer.scripted([.readHead, .stall])
        let other = RecordingDelegate()
        try rig.start(silent.url, delegate: other) { $0.timeouts.firstByte = .milliseconds(400) }
        #expect(try await other.failure().code == .firstByteTimeout)
        gate.open()
        #expect(try await slow.completion() == nil)
    }

    @Test("A transfer fails immediately when the queue is full", arguments: [0, 2])
    func transferBeyondFullQueueFails(_ limit: Int) async throws {
        let (rig, first) = try await busyRig { $0.maximumQueued = limit }
        let waiting = (0..<limit).map { _ in RecordingDelegate() }
        for delegate in waiting { try rig.start(server.url, delegate: delegate) }
        let surplus = RecordingDelegate()
        try rig.start(server.url, delegate: surplus)
        let error = try await surplus.failure()
        #expect(error.code == .queueFull)
        #expect(error.phase == .queued && !error.isTimeout && error.retry == .always)
        #expect(error.message.contains("\(limit) transfers wait"))
        gate.open()
        for delegate in [first] + waiting { #expect(try await delegate.completion() == nil) }
        // The queue has room again.
        try await rig.fetch(server.url)
        #expect(server.requestCount == limit + 2)
    }

    @Test("Client requests fail with queueFull and poolTimeout")
    func clientReportsFullQueueAndPoolTimeout() async throws {
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 1
        configuration.maximumQueued = 1
        var options = TransferOptions.patient
        // Long enough for a busy machine to send the second of two while the first one waits.
        options.timeouts.queue = .seconds(3)
        let client = try HTTPClient(configuration: configuration, options: options)
        async let held = client.send(HTTPRequest(url: server.url + "/held"))
        _ = try await server.requestHead(0)
        // One of two requests waits until its queue timeout, the other finds the queue full.
        let codes = try await withThrowingTaskGroup(of: TransportError.Code?.self) { group in
            for _ in 0..<2 {
                group.addTask { [server] in
                    do throws(TransportError) {
                        _ = try await client.send(HTTPRequest(url: server.url))
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == [.queueFull, .poolTimeout])
        gate.open()
        #expect(try await held.statusCode == 200)
        #expect(server.requestCount == 1)
        await client.shutdown()
    }

    @Test("Queued transfers fail with the shutdown error on shutdown")
    func shutdownEndsQueuedTransfers() async throws {
        let (rig, first) = try await busyRig { $0.maximumQueued = 1 }
        let waiting = RecordingDelegate()
        try rig.start(server.url, delegate: waiting) { $0.timeouts.queue = .seconds(600) }
        await rig.transport.shutdown(.cancel)
        #expect(try await first.failure().code == .shutdown)
        #expect(try await waiting.failure().code == .shutdown)
    }

    @Test("A redirected request is queued even when the queue is full")
    func redirectIsQueuedWhenQueueIsFull() async throws {
        let way = Gate()
        let redirector = try LoopbackServer { [server] _ in
            .redirect(to: server.url + "/next").after(way)
        }
        let rig = try Rig {
            $0.maximumConnectionsPerHost = 1
            $0.maximumQueued = 0
        }
        let (first, redirected) = (RecordingDelegate(), RecordingDelegate())
        try rig.start(redirector.url, delegate: redirected)
        _ = try await redirector.requestHead(0)
        try rig.start(server.url + "/held", delegate: first)
        _ = try await server.requestHead(0)
        way.open()
        try await redirected.turnOfHead()
        gate.open()
        #expect(try await first.completion() == nil)
        #expect(try await redirected.completion() == nil)
        #expect(server.requests.map(\.path) == ["/held", "/next"])
    }

    @Test("A full queue accepts a transfer after a queued one is cancelled")
    func cancelledTransferMakesRoom() async throws {
        let (rig, first) = try await busyRig { $0.maximumQueued = 1 }
        let cancelled = RecordingDelegate()
        try rig.start(server.url, delegate: cancelled).cancel()
        #expect(try await cancelled.failure().code == .cancelled)
        let next = RecordingDelegate()
        try rig.start(server.url, delegate: next)
        gate.open()
        for delegate in [first, next] { #expect(try await delegate.completion() == nil) }
    }

    @Test("A burst of transfers that can all start needs no queue")
    func transfersThatCanStartAreNotQueued() async throws {
        let rig = try Rig { $0.maximumQueued = 0 }
        let delegates = (0..<50).map { _ in RecordingDelegate() }
        for delegate in delegates { try rig.start(server.url, delegate: delegate) }
        for delegate in delegates { #expect(try await delegate.completion() == nil) }
    }

    @Test("Byte connections obey the same queue limits")
    func byteConnectionsObeyQueueLimits() async throws {
        let (rig, first) = try await busyRig { $0.maximumQueued = 1 }
        let (hasty, surplus) = (ByteRecorder(), ByteRecorder())
        // Long enough for a busy machine to start the other one while this one waits.
        try rig.connect(server.port, delegate: hasty) { $0.timeouts.queue = .seconds(3) }
        try rig.connect(server.port, delegate: surplus)
        #expect(try await surplus.failure().code == .queueFull)
        #expect(try await hasty.failure().code == .poolTimeout)
        gate.open()
        #expect(try await first.completion() == nil)
    }
}
