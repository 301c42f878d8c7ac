internal import CurlTransport
internal import Foundation
internal import Synchronization

/// A stream task's connection: calls that wait for bytes, and for bytes to be sent, over a
/// ``ByteConnection``.
///
/// Every method may be called on any thread, before it is connected as well: what is asked for waits
/// until the connection stands. Completions are called once each, without a lock held.
final class StreamConnection: Sendable, TaskConnection {
    private let state = Mutex(StreamState())

    // MARK: What the owner does

    /// - Parameter timeout: How long the call may wait; `nil` for as long as it takes.
    func read(
        _ range: ClosedRange<Int>,
        timeout: Duration?,
        completion: @escaping StreamReads.Completion
    ) {
        let ticket = carryOut { state in
            let ticket = state.makeTicket()
            state.read(
                StreamReads.Read(
                    ticket: ticket,
                    minimum: range.lowerBound,
                    maximum: range.upperBound,
                    completion: completion
                )
            )
            return ticket
        }
        setAlarm(after: timeout, for: ticket, .receiving)
    }

    /// - Parameter timeout: How long the call may wait; `nil` for as long as it takes.
    func write(
        _ data: Data,
        timeout: Duration?,
        completion: @escaping StreamWrites.Completion
    ) {
        let ticket = carryOut { state in
            let ticket = state.makeTicket()
            state.write(
                StreamWrites.Write(ticket: ticket, data: data, completion: completion)
            )
            return ticket
        }
        setAlarm(after: timeout, for: ticket, .sending)
    }

    func closeRead() {
        carryOut { $0.closeRead() }
    }

    func closeWrite() {
        carryOut { $0.closeWrite() }
    }

    /// Has the task told once all that was asked for so far is done.
    func capture() {
        carryOut { $0.beginCapture() }
    }

    /// Gives the connection away from its task. False where it is over, or wasn't asked for.
    func release() -> Bool {
        carryOut { $0.release() }
    }

    /// Lets nothing flow in either direction, or lets it flow again. Nobody is told anything from here,
    /// so that the caller may hold a lock.
    func setSuspended(_ isSuspended: Bool) {
        state.withLock { $0.setSuspended(isSuspended) }
    }

    /// Ends it at once, and those who wait.
    func cancel() {
        carryOut { $0.cancel() }
    }

    func answer(trust decision: TrustDecision) {
        state.withLock { $0.connection }?.answer(trust: decision)
    }

    private func setAlarm(
        after timeout: Duration?,
        for ticket: UInt64,
        _ phase: TransportError.Phase
    ) {
        guard let timeout else { return }
        let alarm = Task.detached { [weak self] in
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            let error = TransportError.timedOut(.deadlineExceeded, after: timeout, phase: phase)
            self?.carryOut { $0.expire(ticket, error) }
        }
        if !state.withLock({ $0.set(alarm, for: ticket) }) { alarm.cancel() }
    }

    // MARK: What comes of it

    /// Connects, once at a time. False if it is connected, or has ended: then nobody is told anything.
    ///
    /// - Parameter loader: Is held until it was told the end.
    func connect(
        _ request: ByteConnectionRequest,
        over transport: Transport,
        loader: StreamLoader
    ) -> Bool {
        guard let attempt = state.withLock({ $0.begin(loader) }) else { return false }
        let connection = transport.connect(request, delegate: self)
        state.withLock { $0.keep(connection, attempt: attempt) }
        return true
    }

    /// Changes the state, and tells outside the lock what there is to tell, by one thread at a time.
    @discardableResult
    private func carryOut<Value: Sendable>(_ change: (inout StreamState) -> Value) -> Value {
        var (value, news) = state.withLock { state in (change(&state), state.news.begin()) }
        while let current = news {
            for tell in current { tell() }
            news = state.withLock { $0.news.next() }
        }
        return value
    }
}

extension StreamConnection: ByteConnectionDelegate {
    func connection(_ connection: ByteConnection, didReceive trust: ServerTrust) -> TrustDecision {
        let loader = state.withLock { state in
            // The answer may come before the connection is known here.
            state.keep(connection, attempt: state.attempt)
            return state.loader
        }
        return loader?.decide(trust) ?? .reject
    }

    func connectionDidOpen(_ connection: ByteConnection) {
        carryOut { $0.opened(connection) }
    }

    func connection(
        _ connection: ByteConnection,
        didReceive bytes: Span<UInt8>
    ) -> DeliveryDecision {
        carryOut { $0.received(bytes) }
    }

    func connection(_ connection: ByteConnection, didSend count: Int64) {
        carryOut { $0.sent(upTo: count) }
    }

    func connectionDidReceiveEnd(_ connection: ByteConnection) {
        carryOut { $0.receivedEnd() }
    }

    func connection(
        _ connection: ByteConnection,
        didFinishCollecting metrics: TransferMetrics
    ) {
        state.withLock { $0.loader }?.keep(metrics)
    }

    func connection(_ connection: ByteConnection, didCompleteWith error: TransportError?) {
        carryOut { $0.ended(error) }
    }
}
