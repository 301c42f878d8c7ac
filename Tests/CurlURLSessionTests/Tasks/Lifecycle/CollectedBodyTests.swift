internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Bodies that a task collects for its delegate.
@Suite struct CollectedBodyTests {
    /// A loader that records whether it may receive.
    private final class FlowLoader: Loader {
        let flow = EventRecorder<Bool>()

        func start() {}
        func cancel() {}
        func allow(receiving: Bool, sending: Bool) { flow.record(receiving) }
    }

    private final class Collector: NSObject, URLSessionBodyCollector {
        let collectsBody: Bool

        init(collectsBody: Bool) {
            self.collectsBody = collectsBody
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didCollect piece: () -> Data
        ) {}
    }

    private let loader = FlowLoader()
    private let piece = [UInt8](repeating: 7, count: BodyBuffer.window / 2)

    /// The state of a task whose response of four pieces arrives.
    private func state(collectsBody: Bool) throws -> TaskState {
        let request = URLRequest(url: try #require(URL(string: "https://origin.test/")))
        let collector = Collector(collectsBody: collectsBody)
        var state = TaskState(
            session: nil,
            request: request,
            kind: .data,
            body: .none,
            consumer: .delegate,
            delegate: collector
        )
        state.delegates = TaskDelegates(own: collector, session: nil)
        state.exchange.load = TaskLoad(
            loader: loader,
            loadRequest: LoadRequest(request, body: .none),
            httpRequest: nil,
            started: Date()
        )
        state.exchange.load?.phase = .delivering
        _ = state.life.resume()
        state.counts.expectedToReceive = Int64(4 * piece.count)
        return state
    }

    @Test("A collected body grows in place, and pauses while its window isn't reported")
    func collectedBodyPausesUntilReported() throws {
        var state = try state(collectsBody: true)
        let first = state.receive(piece.span, from: loader)
        let place = state.exchange.buffer.bytes.withUnsafeBytes { $0.baseAddress }
        let second = state.receive(piece.span, from: loader)
        #expect([first, second] == [.proceed, .pause])
        let isInPlace = state.exchange.buffer.bytes.withUnsafeBytes { $0.baseAddress } == place
        #expect(isInPlace)
        let unreported = state.exchange.buffer.reported
        #expect(unreported.isEmpty)
        let range = state.exchange.buffer.report()
        #expect(range == 0..<BodyBuffer.window)
        state.reopenWindow()
        #expect(loader.flow.events == [true])
        let third = state.receive(piece.span, from: loader)
        #expect(third == .proceed)
        let next = state.exchange.buffer.report()
        #expect(next == BodyBuffer.window..<3 * piece.count)
        let copy = state.exchange.buffer.copy(of: next)
        #expect(copy == Data(piece))
        let fourth = state.receive(piece.span, from: loader)
        #expect(fourth == .proceed)
        // Bytes that were never reported aren't a part of the body.
        let body = state.exchange.buffer.takeReported()
        #expect(body.count == 3 * piece.count)
        let left = state.exchange.buffer.bytes
        #expect(left.isEmpty)
    }

    @Test("A delegate that doesn't want a collected body receives pieces")
    func delegateMayReceivePieces() throws {
        var state = try state(collectsBody: false)
        let decision = state.receive(piece.span, from: loader)
        #expect(decision == .proceed)
        let isCollected = state.delegates.collector != nil
        #expect(!isCollected)
        let taken = state.exchange.buffer.take()
        #expect(taken == Data(piece))
    }
}
