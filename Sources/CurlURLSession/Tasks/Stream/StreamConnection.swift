internal import CurlTransport
internal import Foundation
internal import Synchronization

/// A stream task's connection: queues reads and writes over a ``ByteConnection``.
///
/// Every method may be called on any thread, also before the connection is open; calls are queued
/// until then. Each completion is called once, without a lock held.
final class StreamConnection: Sendable, TaskConnection {
    private let state = Mutex(StreamState())

    // MARK: Calls of the owner

    /// - Parameter timeout: The longest wait of the call; `nil` for no limit.
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

    /// - Parameter timeout: The longest wait of the call; `nil` for no limit.
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

    /// Asks to capture the connection. The task is notified when all pending calls have completed.
    func capture() {
        carryOut { $0.beginCapture() }
    }

    /// Detaches the connection from its task. Returns false if it has ended or wasn't captured.
    func release() -> Bool {
        carryOut { $0.release() }
    }

    /// Suspends or resumes both directions. Calls no callbacks, so the caller may hold a lock.
    func setSuspended(_ isSuspended: Bool) {
        state.withLock { $0.setSuspended(isSuspended) }
    }

    /// Ends the connection at once; pending calls fail.
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

    // MARK: Running

    /// Connects, one attempt at a time. Returns false if it is connected or has ended; then no
    /// callback follows.
    ///
    /// - Parameter loader: Held until its end was reported.
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

    /// Changes the state, and makes the resulting calls outside of the lock.
    ///
    /// One thread at a time makes the calls.
    @discardableResult
    private func carryOut<Value: Sendable>(_ change: (inout StreamState) -> Value) -> Value {
        var (value, callbacks) = state.withLock { state in
            (change(&state), state.callbacks.begin())
        }
        while let current = callbacks {
            for callback in current { callback() }
            callbacks = state.withLock { $0.callbacks.next() }
        }
        return value
    }
}

extension StreamConnection: ByteConnectionDelegate {
    func connection(_ connection: ByteConnection, didReceive trust: ServerTrust) -> TrustDecision {
        let loader = state.withLock { state in
            // The delegate may answer before `connect` has stored the connection.
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
