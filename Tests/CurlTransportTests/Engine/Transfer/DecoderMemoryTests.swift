internal import HTTPTypes
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

/// Bodies that wait for memory to decode them.
@Suite(.timeLimit(.minutes(10))) struct DecoderMemoryTests {
    /// A body of 2 MiB of zeros whose decoder needs a large window, in two parts.
    struct LargeWindow: Sendable, CustomStringConvertible {
        let coding: String
        let start: [UInt8]
        let end: [UInt8]
        let size: Int

        var description: String { coding }

        func reply(_ gate: Gate? = nil) -> Reply {
            var steps: [Step] = [.send(start)]
            if let gate { steps.append(.waitFor(gate)) }
            return Reply(
                headers: [
                    ("Content-Encoding", coding), ("Content-Length", "\(start.count + end.count)"),
                ],
                body: .steps(steps + [.send(end)])
            )
        }

        static let all = [
            // A window of 16 MiB, made by libbrotlienc with a flush after 2 MiB.
            LargeWindow(
                coding: "br",
                start: [
                    0xcf, 0xff, 0xff, 0x0f, 0x00, 0x24, 0x00, 0xe2, 0xb1, 0x40, 0x72, 0xef, 0x3f,
                    0x0c,
                ],
                end: [0x03],
                size: 2 << 20
            ),
            // A window of 8 MiB, and 16 blocks that repeat one byte 131,072 times.
            LargeWindow(
                coding: "zstd",
                start: [0x28, 0xb5, 0x2f, 0xfd, 0, 0x68]
                    + Array(repeatElement([0x02, 0, 0x10, 0], count: 16).joined()),
                end: [0x0b, 0, 0, 0],
                size: 2 << 20 + 1
            ),
        ]
    }

    /// Records whether a body waits for memory, and its size.
    private final class Waiter: TransferDelegate {
        private struct State: Sendable {
            var waits: [Bool] = []
            var count = 0
            var end: TransportError??
        }

        private let state = Watched(State())

        var waits: [Bool] { state.read { $0.waits } }
        var count: Int { state.read { $0.count } }

        func waited() async throws { try await state.wait { $0.waits.contains(true) ? () : nil } }

        func received(_ count: Int) async throws {
            try await state.wait { $0.count >= count ? () : nil }
        }

        func completion() async throws -> TransportError? { try await state.wait { $0.end } }

        func transfer(_ transfer: TransferHandle, didChangeWaitForMemory isWaiting: Bool) {
            state.update { $0.waits.append(isWaiting) }
        }

        func transfer(_ transfer: TransferHandle, didReceiveBody bytes: Span<UInt8>)
            -> DeliveryDecision
        {
            let count = bytes.count
            state.update { $0.count += count }
            return .proceed
        }

        func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
            state.update { $0.end = .some(error) }
        }
    }

    private func start(_ url: String, on transport: Transport, _ waiter: Waiter) throws
        -> TransferHandle
    {
        let request = TransferRequest(
            try HTTPRequest(url: url),
            options: try PreparedOptions(.patient)
        )
        return transport.start(request, delegate: waiter)
    }

    @Test(
        "A body waits for memory to decode it until another body has ended",
        arguments: LargeWindow.all,
        [1, 2]
    )
    func bodyWaitsForMemory(_ body: LargeWindow, loops: Int) async throws {
        let gate = Gate()
        let first = try LoopbackServer { _ in body.reply(gate) }
        let others = try LoopbackServer { _ in body.reply() }
        let rig = try Rig {
            $0.maximumDecoderMemory = 20 << 20
            $0.eventLoopCount = loops
        }
        let holder = Waiter()
        _ = try start(first.url, on: rig.transport, holder)
        try await holder.received(body.coding == "br" ? 1 << 20 : 2 << 20)
        // For Zstandard, two decoders have room.
        let second = Waiter()
        let secondGate = Gate()
        let secondServer = try LoopbackServer { _ in body.reply(secondGate) }
        if body.coding == "zstd" {
            _ = try start(secondServer.url, on: rig.transport, second)
            try await second.received(2 << 20)
            #expect(second.waits.isEmpty)
        }
        let waiters = (0..<5).map { _ in Waiter() }
        for waiter in waiters {
            _ = try start(others.url, on: rig.transport, waiter)
            try await waiter.waited()
            #expect(waiter.count < 1 << 20)
        }
        gate.open()
        for waiter in waiters {
            #expect(try await waiter.completion() == nil)
            #expect(waiter.count == body.size)
            #expect(waiter.waits == [true, false])
        }
        #expect(try await holder.completion() == nil)
        #expect(holder.waits.isEmpty && holder.count == body.size)
        secondGate.open()
    }

    @Test("A cancelled body leaves the queue for memory, and its memory is free again")
    func cancelledBodyReleasesMemory() async throws {
        let body = LargeWindow.all[0]
        let gate = Gate()
        let first = try LoopbackServer { _ in body.reply(gate) }
        let others = try LoopbackServer { _ in body.reply() }
        let rig = try Rig { $0.maximumDecoderMemory = 1 }
        let (holder, waiter, last) = (Waiter(), Waiter(), Waiter())
        let holding = try start(first.url, on: rig.transport, holder)
        try await holder.received(1 << 20)
        let waiting = try start(others.url, on: rig.transport, waiter)
        try await waiter.waited()
        _ = try start(others.url, on: rig.transport, last)
        try await last.waited()
        waiting.cancel()
        #expect(try await waiter.completion()?.code == .cancelled)
        #expect(waiter.count == 0)
        holding.cancel()
        #expect(try await holder.completion()?.code == .cancelled)
        #expect(try await last.completion() == nil)
        #expect(last.count == body.size && last.waits == [true, false])
    }

    /// A server whose transfers run on the loop with this number, of two.
    private func server(onLoop loop: Int, _ reply: Reply) throws -> LoopbackServer {
        while true {
            let server = try LoopbackServer { _ in reply }
            let key = LoopKey(try HTTPRequest(url: server.url))
            if key.home(of: 2) == loop { return server }
        }
    }

    @Test("A body that needs much memory precedes later ones of another loop that need less")
    func largeNeedPrecedesLaterOnes() async throws {
        let (large, small) = (LargeWindow.all[0], LargeWindow.all[1])
        let gate = Gate()
        let holding = try server(onLoop: 0, small.reply(gate))
        let first = try server(onLoop: 1, large.reply())
        let later = try server(onLoop: 0, small.reply())
        // Room for two small ones, or one large one.
        let rig = try Rig {
            $0.maximumDecoderMemory = 24 << 20
            $0.eventLoopCount = 2
        }
        let (holder, waiter, last) = (Waiter(), Waiter(), Waiter())
        _ = try start(holding.url, on: rig.transport, holder)
        try await holder.received(2 << 20)
        _ = try start(first.url, on: rig.transport, waiter)
        try await waiter.waited()
        _ = try start(later.url, on: rig.transport, last)
        try await last.waited()
        gate.open()
        for (waiter, body) in [(holder, small), (waiter, large), (last, small)] {
            #expect(try await waiter.completion() == nil)
            #expect(waiter.count == body.size)
        }
    }

    @Test("When a body that needs much memory is cancelled, the next one that fits continues")
    func cancelledBodyMakesWayForNext() async throws {
        let (large, small) = (LargeWindow.all[0], LargeWindow.all[1])
        let holding = try LoopbackServer { _ in small.reply(Gate()) }
        let others = try LoopbackServer { request in
            request.target == "/large" ? large.reply() : small.reply()
        }
        let rig = try Rig { $0.maximumDecoderMemory = 24 << 20 }
        let (holder, waiter, last) = (Waiter(), Waiter(), Waiter())
        let held = try start(holding.url, on: rig.transport, holder)
        try await holder.received(2 << 20)
        let waiting = try start(others.url + "/large", on: rig.transport, waiter)
        try await waiter.waited()
        _ = try start(others.url, on: rig.transport, last)
        try await last.waited()
        waiting.cancel()
        #expect(try await last.completion() == nil)
        #expect(last.count == small.size)
        held.cancel()
    }

    @Test("Small bodies don't wait for memory", arguments: CompressedSample.all)
    func smallBodiesDoNotWait(_ sample: CompressedSample) async throws {
        let server = try LoopbackServer { _ in sample.reply() }
        let rig = try Rig { $0.maximumDecoderMemory = 1 }
        let waiters = (0..<20).map { _ in Waiter() }
        for waiter in waiters { _ = try start(server.url, on: rig.transport, waiter) }
        for waiter in waiters {
            #expect(try await waiter.completion() == nil)
            #expect(waiter.waits.isEmpty && waiter.count == CompressedSample.text.count)
        }
    }
}
