internal import Synchronization

/// The protocols that were registered for the whole process.
final class ProtocolRegistry: Sendable {
    static let shared = ProtocolRegistry()

    private let registered = Mutex<[URLProtocol.Type]>([])
    /// So that where nothing is registered, which is the rule, no lock is taken for each request.
    private let count = Atomic(0)

    /// The classes, the last registered first.
    var classes: [URLProtocol.Type] {
        guard count.load(ordering: .acquiring) > 0 else { return [] }
        return registered.withLock { $0 }
    }

    /// A class that is registered already comes to the front.
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
