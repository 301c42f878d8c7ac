import Curl
import Synchronization

/// Serves connections on the loopback interface, on a thread of its own, until it is let go of.
final class LocalServer: Sendable {
    private final class Shared: Sendable {
        let wakeup: Wakeup
        let isEnding = Atomic(false)

        init() throws(SystemFailure) {
            wakeup = try Wakeup()
        }
    }

    /// The port of 127.0.0.1 that it listens on.
    let port: Int
    private let shared: Shared
    private let thread: Mutex<LoopThread?>

    /// Listens on a port of 127.0.0.1, which the system chooses for 0, and starts serving.
    ///
    /// - Parameters:
    ///   - name: Of the thread.
    ///   - limit: How many connections are served at once; others are closed.
    ///   - connect: Makes a connection of its descriptor, on the server's thread.
    init<Connection: LocalConnection>(
        name: String,
        port: UInt16 = 0,
        limit: Int = .max,
        connect: @escaping @Sendable (Int32) -> Connection
    ) throws(SystemFailure) {
        let shared = try Shared()
        let (listener, port) = try LoopbackSocket.listen(port: port)
        self.shared = shared
        self.port = Int(port)
        thread = Mutex(
            try LoopThread(name: name) { Self.serve(listener, shared, limit, connect) }
        )
    }

    deinit {
        shared.isEnding.store(true, ordering: .sequentiallyConsistent)
        shared.wakeup.signal()
        thread.withLock { $0.take() }?.join()
    }

    private static func serve<Connection: LocalConnection>(
        _ listener: Int32,
        _ shared: Shared,
        _ limit: Int,
        _ connect: (Int32) -> Connection
    ) {
        guard var reactor = try? Reactor(wakeup: shared.wakeup.descriptor) else { return }
        var connections: [Int32: Connection] = [:]
        reactor.socketOpened(listener)
        reactor.watch(listener, for: .read)
        while !shared.isEnding.load(ordering: .sequentiallyConsistent) {
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
                } else if let turn = connections[descriptor]?.turn() {
                    switch turn {
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
