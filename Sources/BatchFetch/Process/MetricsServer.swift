import Curl
import Synchronization

/// Shows a run's figures on the loopback interface, on a thread of its own: each connection is given
/// one page, whatever it asks for, and closed.
package final class MetricsServer: Sendable {
    /// More than this before a blank line is no request.
    private static let longestHead = 16 * 1024
    /// More connections at once aren't served.
    private static let mostConnections = 64

    private final class Shared: Sendable {
        let wakeup: Wakeup
        let isEnding = Atomic(false)
        let page: @Sendable () -> String

        init(_ page: @escaping @Sendable () -> String) throws(SystemFailure) {
            wakeup = try Wakeup()
            self.page = page
        }
    }

    private struct Connection {
        var input: [UInt8] = []
        var output: [UInt8] = []
        var sent = 0
    }

    /// `127.0.0.1:port`
    package let address: String
    private let shared: Shared
    private let thread: Mutex<LoopThread?>

    /// Listens on a port of 127.0.0.1, which the system chooses for 0.
    package init(
        port: UInt16,
        page: @escaping @Sendable () -> String
    ) throws(BatchFailure) {
        do throws(SystemFailure) {
            let shared = try Shared(page)
            let (listener, port) = try LoopbackSocket.listen(port: port)
            self.shared = shared
            address = "127.0.0.1:\(port)"
            thread = Mutex(try LoopThread(name: "metrics") { Self.serve(listener, shared) })
        } catch {
            throw BatchFailure(.configuration, "metrics can't be shown on port \(port): \(error)")
        }
    }

    deinit {
        shared.isEnding.store(true, ordering: .sequentiallyConsistent)
        shared.wakeup.signal()
        thread.withLock { $0.take() }?.join()
    }

    /// The port of `127.0.0.1:port`, `localhost:port` or `port`; `nil` for another host: figures of
    /// a run are not for the network.
    package static func port(of address: String) -> UInt16? {
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        guard
            parts.count == 1 || (parts.count == 2 && ["127.0.0.1", "localhost"].contains(parts[0]))
        else { return nil }
        return parts.last.flatMap { UInt16($0) }
    }

    private static func serve(_ listener: Int32, _ shared: Shared) {
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
                        guard connections.count < mostConnections else {
                            reactor.closeSocket(accepted)
                            continue
                        }
                        connections[accepted] = Connection()
                        reactor.watch(accepted, for: .read)
                    }
                } else if var connection = connections[descriptor] {
                    let interest = turn(descriptor, &connection, shared)
                    connections[descriptor] = interest == nil ? nil : connection
                    if let interest {
                        reactor.watch(descriptor, for: interest)
                    } else {
                        reactor.closeSocket(descriptor)
                    }
                }
            }
        }
        for descriptor in connections.keys { reactor.closeSocket(descriptor) }
        reactor.closeSocket(listener)
    }

    /// Does what can be done now; nil when the connection is to be closed.
    private static func turn(
        _ descriptor: Int32,
        _ connection: inout Connection,
        _ shared: Shared
    ) -> SocketInterest? {
        while connection.output.isEmpty {
            guard connection.input.count <= longestHead else { return nil }
            switch LoopbackSocket.receive(descriptor, appendingTo: &connection.input, upTo: 4096) {
            case .moved: break
            case .wouldBlock: return .read
            case .ended: return nil
            }
            let lineEnds = connection.input.filter { $0 != 0x0D }
            guard
                lineEnds.indices.dropFirst().contains(where: {
                    lineEnds[$0] == 0x0A && lineEnds[$0 - 1] == 0x0A
                })
            else { continue }
            connection.output = response(shared.page())
        }
        while connection.sent < connection.output.count {
            let sent = connection.sent
            switch LoopbackSocket.send(descriptor, connection.output.span.extracting(sent...)) {
            case .moved(let count): connection.sent += count
            case .wouldBlock: return .write
            case .ended: return nil
            }
        }
        return nil
    }

    private static func response(_ page: String) -> [UInt8] {
        let head = """
            HTTP/1.1 200 OK\r
            Content-Type: text/plain; version=0.0.4; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Connection: close\r
            \r

            """
        return Array((head + page).utf8)
    }
}
