internal import Synchronization

/// The protocol classes registered for the whole process.
final class ProtocolRegistry: Sendable {
    static let shared = ProtocolRegistry()

    private let registered = Mutex<[URLProtocol.Type]>([])
    /// Lets each request skip the lock in the usual case that no class is registered.
    private let count = Atomic(0)

    /// The classes, the last registered first.
    var classes: [URLProtocol.Type] {
        guard count.load(ordering: .acquiring) > 0 else { return [] }
        return registered.withLock { $0 }
    }

    /// Registers a class. If it is already registered, it moves to the front.
    func register(_ protocolClass: URLProtocol.Type) {
        registered.withLock { classes in
            classes.removeAll { $0 == protocolClass }
            classes.insert(protocolClass, at: 0)
            count.store(classes.count, ordering: .releasing)
        }
    }

    func unregister(_ protocolClass: URLProtocol.Type) {
        registered.withLock { classes in
            classes.removeAll { $0 == protocolClass }
            count.store(classes.count, ordering: .releasing)
        }
    }
}
