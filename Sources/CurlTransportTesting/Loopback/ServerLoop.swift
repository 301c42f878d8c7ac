internal import Posix

/// A `LoopbackServer`'s thread: accepts connections and runs each until it blocks.
final class ServerLoop {
    private static let listenerToken: UInt = 0
    private static let wakeupToken: UInt = 1
    private static let firstConnectionToken: UInt = 2

    private let core: ServerCore
    private let listener: Int32
    private var poller: TokenPoller
    private var connections: [Int: ServerConnection] = [:]
    private var deadlines = DeadlineQueue()
    private var acceptedCount = 0
    /// Connections that had used up their turn.
    private var yielding: [Int] = []
    private var isAccepting = false

    /// Takes ownership of the listening socket.
    init(core: ServerCore, listener: Int32, poller: consuming TokenPoller) {
        (self.core, self.listener) = (core, listener)
        self.poller = poller
    }

    deinit {
        ServerSocket.close(listener)
    }

    func run() {
        if let wakeup = core.wakeup {
            poller.watch(wakeup, .readable, token: Self.wakeupToken)
        }
        listen(true)
        while true {
            let limit = milliseconds
            // Connections that yield from here on run after the events of the next poll.
            let yielded = yielding
            yielding = []
            for token in poller.wait(limit) { handle(token) }
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

    private func handle(_ token: UInt) {
        switch token {
        case Self.wakeupToken:
            break
        case Self.listenerToken:
            accept()
        default:
            let id = Int(token - Self.firstConnectionToken)
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
            let descriptor: Int32
            switch ServerSocket.accept(listener) {
            case .connection(let accepted):
                descriptor = accepted
            case .noneIsPending:
                return
            case .lacksDescriptors:
                // Accepts again when a connection has ended.
                return listen(false)
            }
            if let bytes = core.options.sendBufferBytes {
                ServerSocket.setSendBuffer(of: descriptor, to: bytes)
            }
            let id = acceptedCount
            acceptedCount += 1
            core.watched.update { state in
                state.connections.append(LoopbackConnection())
                state.openConnectionCount += 1
            }
            let steps = core.script(id)
            let connection = ServerConnection(id, descriptor, core, steps)
            connections[id] = connection
            poller.watch(descriptor, [], token: Self.firstConnectionToken + UInt(id))
            checkLimit()
            run(connection)
        }
    }

    /// Records how many connections exceed the limit.
    ///
    /// The end of a connection may arrive later than the beginning of another one that was opened
    /// after it, so this waits for ends.
    private func checkLimit() {
        guard let limit = core.options.connectionLimit, connections.count > limit else { return }
        let deadline = ContinuousClock.now + LoopbackConnection.overtaking
        var open = connections.values.map(\.descriptor)
        repeat {
            let left = ContinuousClock.now.duration(to: deadline)
            let milliseconds = max(0, Int32(left / .milliseconds(1)))
            open = ServerSocket.stillOpen(of: open, after: milliseconds)
            if milliseconds == 0 { break }
        } while open.count > limit
        let excess = open.count - limit
        core.watched.update { $0.excessConnectionCount = max($0.excessConnectionCount, excess) }
    }

    private func listen(_ isOn: Bool) {
        guard isOn != isAccepting else { return }
        isAccepting = isOn
        if isOn {
            poller.watch(listener, .readable, token: Self.listenerToken)
        } else {
            poller.unwatch(listener)
        }
    }

    private func run(_ connection: ServerConnection) {
        switch connection.run() {
        case .wants(let interest):
            watch(connection, interest)
        case .yields:
            // A waiting connection whose peer has closed meanwhile must not continue.
            watch(connection, connection.isWaiting ? .hangup : [])
            yielding.append(connection.id)
        case .waitsFor(let gate):
            watch(connection, .hangup)
            let id = connection.id
            gate.onOpen { [weak core] in core?.resume(id) }
        case .waitsUntil(let deadline):
            watch(connection, .hangup)
            deadlines.insert(connection.id, at: deadline)
        case .ended(let ending):
            end(connection, ending)
        }
    }

    private func watch(_ connection: ServerConnection, _ interest: TokenPoller.Interest) {
        guard connection.interest != interest else { return }
        connection.interest = interest
        let token = Self.firstConnectionToken + UInt(connection.id)
        poller.rewatch(connection.descriptor, interest, token: token)
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

    private func end(_ connection: ServerConnection, _ ending: LoopbackConnection.Ending) {
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
