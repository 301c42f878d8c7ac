internal import CTestSupport
internal import Glibc

/// A `LoopbackServer`'s thread: accepts connections and runs each until it blocks.
final class ServerLoop {
    private static let listenerToken: UInt64 = 0
    private static let wakeupToken: UInt64 = 1
    private static let firstConnectionToken: UInt64 = 2

    private let core: ServerCore
    private let listener: Int32
    private let poller: Int32
    private var connections: [Int: ServerConnection] = [:]
    private var deadlines = DeadlineQueue()
    private var acceptedCount = 0
    /// Connections that had used up their turn.
    private var yielding: [Int] = []
    private var isAccepting = false
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// Takes ownership of both descriptors.
    init(core: ServerCore, listener: Int32, poller: Int32) {
        (self.core, self.listener, self.poller) = (core, listener, poller)
    }

    deinit {
        buffer.deallocate()
        close(listener)
        close(poller)
    }

    func run() {
        ts_watch(poller, core.wakeup, ts_readable, Self.wakeupToken)
        listen(true)
        var events = [ts_event](repeating: ts_event(), count: 256)
        while true {
            let limit = milliseconds
            // Connections that yield from here on run after the events of the next poll.
            let yielded = exchange(&yielding, with: [])
            let count = ts_poll(poller, &events, 256, limit)
            for event in events.prefix(max(Int(count), 0)) { handle(event) }
            for id in yielded {
                guard let connection = connections[id] else { continue }
                if connection.isWaiting { connection.stopWaiting() }
                run(connection)
            }
            wakeSleepers()
            let mail = core.takeMail()
            if mail.isStopping { break }
            for id in mail.resumed { resume(id) }
        }
        for connection in connections.values { end(connection, .stop) }
    }

    private var milliseconds: Int32 {
        guard yielding.isEmpty else { return 0 }
        guard let earliest = deadlines.earliest else { return -1 }
        let left = ContinuousClock.now.duration(to: earliest)
        guard left > .zero else { return 0 }
        return Int32(clamping: Int64(left / .milliseconds(1)) + 1)
    }

    private func handle(_ event: ts_event) {
        switch event.token {
        case Self.wakeupToken:
            break
        case Self.listenerToken:
            accept()
        default:
            let id = Int(event.token - Self.firstConnectionToken)
            guard let connection = connections[id] else { return }
            if connection.isWaiting {
                // Besides the gate or the deadline, only the peer's close is awaited.
                end(connection, .peer)
            } else {
                run(connection)
            }
        }
    }

    private func accept() {
        for _ in 0..<256 {
            let descriptor = ts_accept(listener)
            guard descriptor >= 0 else {
                // Out of descriptors: accept again when a connection has ended.
                if errno == EMFILE || errno == ENFILE { listen(false) }
                return
            }
            if let bytes = core.options.sendBufferBytes {
                ts_set_send_buffer(descriptor, Int32(bytes))
            }
            let id = acceptedCount
            acceptedCount += 1
            core.watched.update { state in
                state.connections.append(ConnectionRecord())
                state.openConnectionCount += 1
            }
            let steps = core.script(id)
            let connection = ServerConnection(id, descriptor, core, buffer, steps)
            connections[id] = connection
            ts_watch(poller, descriptor, 0, Self.firstConnectionToken + UInt64(id))
            run(connection)
        }
    }

    private func listen(_ isOn: Bool) {
        guard isOn != isAccepting else { return }
        isAccepting = isOn
        if isOn {
            ts_watch(poller, listener, ts_readable, Self.listenerToken)
        } else {
            ts_unwatch(poller, listener)
        }
    }

    private func run(_ connection: ServerConnection) {
        switch connection.run() {
        case .wants(let interest):
            watch(connection, interest)
        case .yields:
            // A waiting connection whose peer has closed meanwhile must not continue.
            watch(connection, connection.isWaiting ? ts_hangup : 0)
            yielding.append(connection.id)
        case .waitsFor(let gate):
            watch(connection, ts_hangup)
            let id = connection.id
            gate.onOpen { [weak core] in core?.resume(id) }
        case .waitsUntil(let deadline):
            watch(connection, ts_hangup)
            deadlines.insert(connection.id, at: deadline)
        case .ended(let ending):
            end(connection, ending)
        }
    }

    private func watch(_ connection: ServerConnection, _ interest: UInt32) {
        guard connection.interest != interest else { return }
        connection.interest = interest
        let token = Self.firstConnectionToken + UInt64(connection.id)
        ts_rewatch(poller, connection.descriptor, interest, token)
    }

    private func resume(_ id: Int) {
        guard let connection = connections[id], connection.isWaiting else { return }
        connection.stopWaiting()
        run(connection)
    }

    private func wakeSleepers() {
        guard deadlines.earliest != nil else { return }
        let now = ContinuousClock.now
        while let id = deadlines.take(due: now) { resume(id) }
    }

    private func end(_ connection: ServerConnection, _ ending: ConnectionRecord.Ending) {
        connections[connection.id] = nil
        connection.closeDescriptor()
        core.watched.update { state in
            state.connections[connection.id].ending = ending
            state.connections[connection.id].endedAt = .now
            state.openConnectionCount -= 1
        }
        listen(true)
    }
}
