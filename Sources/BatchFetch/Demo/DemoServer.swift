import Curl
import Synchronization

/// A web server for the demo: on the loopback interface, on a thread of its own, with objects that
/// are made up as they are sent.
package final class DemoServer: Sendable {
    /// `http://127.0.0.1:port`
    package let url: String
    private let shared: Shared
    private let thread: Mutex<LoopThread?>

    private final class Shared: Sendable {
        let wakeup: Wakeup
        let isEnding = Atomic(false)

        init() throws(SystemFailure) {
            wakeup = try Wakeup()
        }
    }

    /// Listens, and starts serving.
    package init() throws(BatchFailure) {
        do throws(SystemFailure) {
            let shared = try Shared()
            let (listener, port) = try LoopbackSocket.listen()
            self.shared = shared
            url = "http://127.0.0.1:\(port)"
            thread = Mutex(
                try LoopThread(name: "demo-server") { Self.serve(listener, shared) }
            )
        } catch {
            throw BatchFailure(.resources, "the demo's server can't start: \(error)")
        }
    }

    deinit {
        shared.isEnding.store(true, ordering: .sequentiallyConsistent)
        shared.wakeup.signal()
        thread.withLock { $0.take() }?.join()
    }

    /// The URLs of so many objects, made as they are asked for.
    package func urls(count: Int) -> BatchInput {
        let url = self.url
        return .generated { $0 < count ? url + DemoObject(number: $0).path : nil }
    }

    private static func serve(_ listener: Int32, _ shared: Shared) {
        guard var reactor = try? Reactor(wakeup: shared.wakeup.descriptor) else { return }
        var connections: [Int32: DemoConnection] = [:]
        reactor.socketOpened(listener)
        reactor.watch(listener, for: .read)
        while !shared.isEnding.load(ordering: .sequentiallyConsistent) {
            let count = reactor.wait(until: nil)
            for index in 0..<count {
                guard let (descriptor, _) = reactor.event(at: index) else { continue }
                if descriptor == listener {
                    while let accepted = LoopbackSocket.accept(listener) {
                        reactor.socketOpened(accepted)
                        connections[accepted] = DemoConnection(accepted)
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
