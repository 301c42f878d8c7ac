import Posix
import Synchronization

/// The addresses of hosts, for the limit per address.
extension RunCore {
    /// Starts to look up the hosts whose URLs wait for their addresses.
    func lookUpAddresses() {
        guard let resolver else { return }
        let hosts = state.withLock { $0.queues.takeUnresolved() }
        guard !hosts.isEmpty else { return }
        resolver.resolve(hosts) { [self] host, addresses in
            let now = MonotonicTime.now
            state.withLock { $0.queues.learn(addresses, of: host, at: now) }
            pump()
        }
    }
}
