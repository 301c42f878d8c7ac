internal import DequeModule
import Posix
import Synchronization

/// Looks up the addresses of hosts on threads of its own.
///
/// It doesn't wait for its threads: a lookup that has begun may last many seconds if a name server
/// doesn't respond.
final class AddressResolver: Sendable {
    typealias Lookup = @Sendable (_ host: String) -> [String]
    typealias Receiver = @Sendable (_ host: String, _ addresses: [String]) -> Void

    /// The maximum number of threads, and therefore of lookups at once.
    private static let maximumThreads = 16

    private struct State {
        var pending = Deque<String>()
        var threadCount = 0
        /// What gets the addresses; `nil` before the first lookup and after ``end()``.
        var receiver: Receiver?
        var isEnded = false
    }

    private let lookup: Lookup
    private let state = Mutex(State())

    init(lookup: @escaping Lookup = { NameLookup.addresses(of: $0) }) {
        self.lookup = lookup
    }

    /// Starts to look up hosts. The receiver is called once for each, on another thread.
    ///
    /// All calls have the same receiver. If the system can't create a thread, the hosts are looked
    /// up on this one.
    func resolve(_ hosts: [String], receiver: @escaping Receiver) {
        let newThreads = state.withLock { state in
            guard !state.isEnded else { return 0 }
            state.receiver = receiver
            state.pending.append(contentsOf: hosts)
            let count = min(hosts.count, Self.maximumThreads - state.threadCount)
            state.threadCount += count
            return count
        }
        for _ in 0..<newThreads {
            do throws(SystemFailure) {
                try JoinedThread(name: "batch-lookup") { [self] in lookUpAll() }.detach()
            } catch {
                lookUpAll()
            }
        }
    }

    /// Drops the pending lookups, and calls the receiver no more.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.receiver = nil
            state.pending = Deque()
        }
    }

    /// Looks up hosts until none is pending, on a thread.
    private func lookUpAll() {
        while let host = next() {
            let addresses = lookup(host)
            state.withLock { $0.receiver }?(host, addresses)
        }
    }

    /// The next host; `nil` if the thread ends.
    private func next() -> String? {
        state.withLock { state in
            if let host = state.pending.popFirst() { return host }
            state.threadCount -= 1
            return nil
        }
    }
}

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
