internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct WakeUpQueueTests {
    private final class CountingWaker: Waker {
        private let wakings = Mutex(0)

        var count: Int { wakings.withLock { $0 } }

        func wake() { wakings.withLock { $0 += 1 } }
    }

    @Test func urgentWakerIsWokenAtEndOfTurn() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.append(waker)
        queue.run(isQuiet: false, endsRound: true)
        queue.run(isQuiet: true, endsRound: true)
        #expect(waker.count == 1)
    }

    @Test func deferredWakerIsWokenWhenNothingIsReady() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.appendDeferred(waker, mayPause: false)
        #expect(queue.deferredPause == 0)
        queue.run(isQuiet: false, endsRound: true)
        #expect(waker.count == 0)
        queue.run(isQuiet: true, endsRound: true)
        #expect(waker.count == 1)
        #expect(queue.deferredPause == nil)
        queue.run(isQuiet: true, endsRound: true)
        #expect(waker.count == 1)
    }

    @Test func deferredWakerIsWokenInBusyLoopAfterMaximumRounds() {
        let (queue, waker) = (WakeUpQueue(), CountingWaker())
        queue.appendDeferred(waker, mayPause: true)
        for _ in 1..<WakeUpQueue.maximumDeferredRounds {
            queue.run(isQuiet: false, endsRound: true)
        }
        for _ in 0..<100 { queue.run(isQuiet: false, endsRound: false) }
        #expect(waker.count == 0)
        queue.run(isQuiet: false, endsRound: true)
        #expect(waker.count == 1)
    }

    @Test func oneWakerWithoutPauseWakesAllDeferred() {
        let (queue, wakers) = (WakeUpQueue(), (0..<3).map { _ in CountingWaker() })
        #expect(queue.deferredPause == nil)
        queue.appendDeferred(wakers[0], mayPause: true)
        #expect(queue.deferredPause == WakeUpQueue.pause)
        queue.appendDeferred(wakers[1], mayPause: false)
        queue.appendDeferred(wakers[2], mayPause: true)
        #expect(queue.deferredPause == 0)
        queue.run(isQuiet: true, endsRound: true)
        #expect(wakers.map(\.count) == [1, 1, 1])
        queue.appendDeferred(wakers[0], mayPause: true)
        #expect(queue.deferredPause == WakeUpQueue.pause)
    }

    /// The loop's last turn isn't quiet, because more of the body has arrived before it.
    @Test("A loop that ends wakes the wakers that wait for more bytes")
    func endingLoopWakesDeferredWakers() async throws {
        let (arrived, gate, sent) = (Gate(), Gate(), Gate())
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na"), .waitFor(gate),
            .send("b"), .open(sent), .stall,
        ])
        let (rig, waker) = (try Rig(), CountingWaker())
        let delegate = RecordingDelegate { answers in
            answers.act = { event, transfer in
                if case .body = event { arrived.open() }
                guard event == .endTurn, arrived.isOpen, !gate.isOpen else { return }
                #expect(transfer.wakeWhenIdle(waker, mayPause: true))
                gate.open()
                sent.waitBlocking()
                rig.transport.beginShutdown(.cancel)
            }
        }
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.failure().code == .shutdown)
        await rig.transport.shutdown(.cancel)
        #expect(waker.count == 1)
    }
}
