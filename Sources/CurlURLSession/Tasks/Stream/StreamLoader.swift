internal import CurlTransport
internal import Foundation
internal import Synchronization

/// Connects a stream task. Loads nothing, and ends when the connection does.
final class StreamLoader: Loader {
    private let stream: StreamConnection
    private let request: ByteConnectionRequest
    let transport: Transport
    private let client: TaskCore
    /// Set just before the end.
    private let metrics = Mutex<TransferMetrics?>(nil)

    init(
        _ request: ByteConnectionRequest,
        over stream: StreamConnection,
        transport: Transport,
        client: TaskCore
    ) {
        self.stream = stream
        self.request = request
        self.transport = transport
        self.client = client
    }

    // MARK: Loader

    func start() {
        if !stream.connect(request, over: transport, loader: self) {
            end(.cancelled, wasOpen: true)
        }
    }

    func cancel() {
        stream.cancel()
    }

    /// Bytes flow on demand, unless the task is suspended.
    func allow(receiving: Bool, sending: Bool) {
        stream.setSuspended(!sending)
    }

    func answer(trust decision: TrustDecision) {
        stream.answer(trust: decision)
    }

    // MARK: Events of the connection

    func decide(_ trust: ServerTrust) -> TrustDecision {
        let decision = client.loader(self, didReceive: trust)
        client.loader(self, didReceive: .endOfTurn)
        return decision
    }

    func readEnded() {
        client.state.withLock { $0.noteReadClosing(by: self) }
        client.loader(self, didReceive: .endOfTurn)
    }

    func writeEnded() {
        client.state.withLock { $0.noteWriteClosing(by: self) }
        client.loader(self, didReceive: .endOfTurn)
    }

    /// Hands over the connection after all pending calls have completed. Without a delegate that
    /// takes it, the connection is closed.
    func captured() {
        guard !client.state.withLock({ $0.noteCapture(by: self) }) else {
            return client.loader(self, didReceive: .endOfTurn)
        }
        stream.closeRead()
        stream.closeWrite()
    }

    func keep(_ metrics: TransferMetrics) {
        self.metrics.withLock { $0 = metrics }
    }

    /// - Parameter wasOpen: Whether the connection was open. If so, the task can't retry with
    ///   another connection.
    func end(_ error: TransportError?, wasOpen: Bool) {
        let failure = error.map { error in
            wasOpen
                ? LoadOutcome.Failure.other(client.state.withLock { $0.exchange.urlError(error) })
                : .transport(error)
        }
        let metrics = metrics.withLock { $0.take() }
        client.loader(self, didReceive: .end(LoadOutcome(failure: failure, metrics: metrics)))
        client.loader(self, didReceive: .endOfLastTurn)
    }
}
