import Posix

/// Serves connections on the loopback interface, on a dedicated thread.
///
/// It serves until it is released.
final class LocalServer: Sendable {
    /// The port on 127.0.0.1.
    let port: Int
    private let worker: Worker

    /// Starts serving on a port of 127.0.0.1; the system chooses for 0.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - limit: The maximum number of connections at once; others are closed.
    ///   - connect: Creates a connection for a descriptor, on the server's thread.
    init<Connection: LocalConnection>(
        name: String,
        port: UInt16 = 0,
        limit: Int = .max,
        connect: @escaping @Sendable (Int32) -> Connection
    ) throws(SystemFailure) {
        let worker = try Worker(name: name)
        let (listener, port) = try LoopbackSocket.listen(port: port)
        self.worker = worker
        self.port = Int(port)
        // The thread must not hold the server, which is released to end it.
        try worker.start { Self.serve(listener, worker, limit, connect) }
    }

    deinit {
        worker.end()
    }

    private static func serve<Connection: LocalConnection>(
        _ listener: Int32,
        _ worker: Worker,
        _ limit: Int,
        _ connect: (Int32) -> Connection
    ) {
        guard var reactor = try? Reactor(wakeup: worker.descriptor) else { return }
        var connections: [Int32: Connection] = [:]
        reactor.socketOpened(listener)
        reactor.watch(listener, for: .read)
        while !worker.isEnding {
            let count = reactor.wait(until: nil)
            for index in 0..<count {
                guard let (descriptor, _) = reactor.event(at: index) else { continue }
                if descriptor == listener {
                    while let accepted = LoopbackSocket.accept(listener) {
                        reactor.socketOpened(accepted)
                        guard connections.count < limit else {
                            reactor.closeSocket(accepted)
                            continue
                        }
                        connections[accepted] = connect(accepted)
                        reactor.watch(accepted, for: .read)
                    }
                } else if let step = connections[descriptor]?.advance() {
                    switch step {
                    case .waits(let interest):
                        reactor.watch(descriptor, for: interest)
                    case .ended:
                        connections[descriptor] = nil
                        reactor.closeSocket(descriptor)
                    }
                }
            }
        }
        for descriptor in connections.keys { reactor.closeSocket(descriptor) }
        reactor.closeSocket(listener)
    }
}

/// One connection of a ``LocalServer``, which reads and writes without blocking.
protocol LocalConnection: SendableMetatype {
    /// Reads and writes until it would block.
    mutating func advance() -> ConnectionStep
}

/// The result of one step of a connection.
enum ConnectionStep {
    case waits(SocketInterest)
    /// The server closes the connection.
    case ended
}

/// Finds the end of a request's head.
enum RequestHead {
    /// The maximum length of a head in bytes.
    static let longest = 16 * 1024

    /// The offset after the blank line that ends the head.
    ///
    /// Lines may end with or without carriage returns. `nil` if the blank line hasn't arrived yet.
    static func end(in bytes: [UInt8]) -> Int? {
        var isLineEmpty = false
        for (index, byte) in bytes.enumerated() where byte != 0x0D {
            if byte == 0x0A, isLineEmpty { return index + 1 }
            isLineEmpty = byte == 0x0A
        }
        return nil
    }
}
