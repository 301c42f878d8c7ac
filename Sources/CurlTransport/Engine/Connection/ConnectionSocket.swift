internal import Curl
internal import Posix

/// A connection's socket, with the facts that decide whether to send a request on it.
final class ConnectionSocket {
    let descriptor: Int32

    /// The origin whose transfers may share it as streams.
    fileprivate let origin: Scheduler.OriginIndex?

    /// How many transfers use it now: more than one if they share it as streams.
    private(set) var userCount = 0

    /// The number of used sockets, to which this one counts while it has users or is being closed.
    private let used: UsedSocketCount

    /// Where it counts as a connection while it is idle; nil if it doesn't.
    private let home: SocketHome?

    /// Whether it counts as an idle connection of its origin.
    private var isCountedIdle = false

    private var isOpen = true

    /// Whether its last user has left it to be closed.
    private var isClosing = false {
        didSet {
            guard isClosing != oldValue, let home else { return }
            home.connections.closing += isClosing ? 1 : -1
        }
    }

    /// Whether it is to be closed when its transfer ends, because it exceeds the loop's share.
    private var isLeaving = false

    /// Whether a transfer has prepared to send a request on it.
    var hasServed = false

    /// Whether a response in HTTP/2 or newer has arrived on it.
    var isMultiplexed = false

    /// Whether a response in HTTP/1 has arrived on it. The next transfer that sends a request on it
    /// follows one that has completed, even if libcurl hasn't reported that end yet.
    var isSerial = false

    /// Whether a response in HTTP/3 has arrived on it.
    var isHTTP3 = false

    /// Whether no further request may be sent on it.
    var isRetired = false

    /// Whether a delegate has accepted the server's certificates.
    var isTrusted = false

    /// Whether the server has requested a client certificate.
    var requestsIdentity = false

    /// Whether a transfer has decided to continue without a client certificate.
    var isIdentityDeclined = false

    /// Whether only one transfer uses it at a time, or now.
    var isExclusive: Bool { !isMultiplexed && (isSerial || userCount == 1) }

    fileprivate(set) var ends: ConnectionEnds?

    /// The next socket with the same ports, in ``SocketsByEnds``.
    fileprivate var next: ConnectionSocket?

    fileprivate init(
        descriptor: Int32,
        origin: Scheduler.OriginIndex?,
        home: SocketHome?,
        used: UsedSocketCount
    ) {
        self.descriptor = descriptor
        self.origin = origin
        self.home = home
        self.used = used
    }

    func addUser() {
        endIdleness()
        if isOpen, userCount == 0, !isClosing { used.value += 1 }
        isClosing = false
        userCount += 1
    }

    /// - Parameter closesConnection: Whether libcurl closes it, if this was the last user. Since
    ///   8.10, that may take libcurl some seconds with TLS, because it waits for the server.
    func removeUser(closesConnection: Bool = false) {
        assert(userCount > 0, "a connection is left that wasn't used")
        userCount -= 1
        guard userCount == 0, isOpen else { return }
        isClosing = closesConnection
        guard !isClosing else { return }
        stay()
        used.value -= 1
        // A transfer without HTTP/2 can't use a multiplexed one, and the others are in one shard.
        guard let home, !isMultiplexed, !isRetired else { return }
        isCountedIdle = true
        home.connections.shards.becameIdle(in: home.shard)
    }

    /// Records that libcurl will close it at its transfer's end. Returns false if it knew.
    func leave() -> Bool {
        guard isOpen, !isLeaving, let home else { return false }
        isLeaving = true
        home.connections.leaving += 1
        return true
    }

    /// Records that libcurl won't close it.
    ///
    /// libcurl keeps it if the transfer had ended before its head was accepted.
    private func stay() {
        guard isLeaving, let home else { return }
        isLeaving = false
        home.connections.leaving -= 1
    }

    private func endIdleness() {
        guard isCountedIdle, let home else { return }
        isCountedIdle = false
        home.connections.shards.idleEnded(in: home.shard)
    }

    fileprivate func closed() {
        endIdleness()
        if isOpen, userCount > 0 || isClosing { used.value -= 1 }
        isClosing = false
        stay()
        isOpen = false
    }

    /// Whether a transfer uses it, or it is being opened for one.
    fileprivate var isUsed: Bool { userCount > 0 || ends == nil }

    /// What it counts as once it is established; nil while libcurl closes it.
    fileprivate var activity: Activity? {
        guard isOpen, !isClosing else { return nil }
        return userCount > 0 ? .active : .idle
    }

    /// The connections of its origin; nil if several origins may share it.
    fileprivate var connections: OriginConnections? { home?.connections }

    fileprivate enum Activity {
        /// One transfer or more use it.
        case active
        case idle
    }
}

/// The numbers of established connections, except those being closed.
struct ConnectionCounts: Equatable {
    /// Those with a transfer, or with several as streams.
    var active = 0
    var idle = 0

    fileprivate mutating func add(_ activity: ConnectionSocket.Activity?) {
        switch activity {
        case .active: active += 1
        case .idle: idle += 1
        case nil: break
        }
    }
}

/// The shard of a socket, and the connections of its origin.
struct SocketHome {
    let connections: OriginConnections
    let shard: Int
}

/// How many open sockets transfers use, or have left to be closed.
private final class UsedSocketCount {
    var value = 0
}

/// The sockets of libcurl's open connections for transfers. Belongs to one loop.
///
/// libcurl reports a socket's descriptor when it opens it, and both ends of the connection before
/// it sends a request. It doesn't report the socket of a reused connection.
struct ConnectionSockets {
    private var byDescriptor: [Int32: ConnectionSocket] = [:]
    private var byEnds = SocketsByEnds()
    private var byOrigin: [Scheduler.OriginIndex: [Int32: ConnectionSocket]] = [:]

    /// Sockets without ports (Unix sockets), whose ends are all equal.
    private var portless: [ConnectionSocket] = []

    private let used = UsedSocketCount()

    /// The number of established connections without a transfer, except those being closed.
    var idleCount: Int { max(0, byEnds.count + portless.count - used.value) }

    /// The numbers of connections of all origins.
    func counts() -> ConnectionCounts {
        var counts = ConnectionCounts()
        byEnds.forEach { counts.add($0.activity) }
        for socket in portless { counts.add(socket.activity) }
        return counts
    }

    /// The numbers of connections by the ``OriginConnections`` that they belong to.
    ///
    /// Connections that several origins may share, as those through a proxy, aren't counted.
    func countsByOrigin() -> [ObjectIdentifier: ConnectionCounts] {
        var counts: [ObjectIdentifier: ConnectionCounts] = [:]
        byEnds.forEach { socket in
            guard let connections = socket.connections else { return }
            counts[ObjectIdentifier(connections), default: ConnectionCounts()].add(socket.activity)
        }
        return counts
    }

    /// Adds a socket.
    ///
    /// - Parameters:
    ///   - origin: The origin whose transfers may share it as streams.
    ///   - home: Where it counts as a connection while it is idle.
    mutating func opened(
        _ descriptor: Int32,
        sharedBy origin: Scheduler.OriginIndex?,
        at home: SocketHome? = nil
    ) -> ConnectionSocket {
        closed(descriptor)
        let socket = ConnectionSocket(
            descriptor: descriptor,
            origin: origin,
            home: home,
            used: used
        )
        byDescriptor[descriptor] = socket
        if let origin { byOrigin[origin, default: [:]][descriptor] = socket }
        return socket
    }

    mutating func closed(_ descriptor: Int32) {
        guard let socket = byDescriptor.removeValue(forKey: descriptor) else { return }
        socket.closed()
        byEnds.remove(socket)
        portless.removeAll { $0 === socket }
        if let origin = socket.origin {
            byOrigin[origin]?[descriptor] = nil
            if byOrigin[origin]?.isEmpty == true { byOrigin[origin] = nil }
        }
    }

    /// How many sockets of an origin are in use, or being opened for a transfer.
    func usedCount(of origin: Scheduler.OriginIndex) -> Int {
        byOrigin[origin]?.values.count { $0.isUsed } ?? 0
    }

    /// The socket of the connection between `ends`; nil if unknown.
    ///
    /// - Parameter opened: the sockets opened for the transfer that is about to send.
    mutating func socket(between ends: ConnectionEnds, opened: [ConnectionSocket])
        -> ConnectionSocket?
    {
        if ends.localPort > 0, let known = byEnds[ends] { return known }
        let new = opened.filter { byDescriptor[$0.descriptor] === $0 && $0.ends == nil }
        guard ends.localPort > 0 else { return name(new, ends) }
        let found = new.count == 1 ? new.first : new.first { port(of: $0) == ends.localPort }
        guard let found else { return nil }
        found.ends = ends
        byEnds.insert(found)
        return found
    }

    private mutating func name(_ new: [ConnectionSocket], _ ends: ConnectionEnds)
        -> ConnectionSocket?
    {
        guard let socket = new.first else { return nil }
        socket.ends = ends
        portless.append(socket)
        return socket
    }

    private func port(of socket: ConnectionSocket) -> Int? {
        SocketInput.localPort(of: socket.descriptor)
    }

    /// Whether bytes wait on an idle socket without ports. All of these have equal ends.
    ///
    /// - Parameter isWatched: whether libcurl watches a socket. It doesn't if the connection is
    ///   idle or paused.
    func hasInputOnIdleConnection(isWatched: (Int32) -> Bool) -> Bool {
        portless.contains {
            !isWatched($0.descriptor) && SocketInput.isWaiting(on: $0.descriptor)
        }
    }
}

/// Established sockets by both ends of their connections.
///
/// The table has the ports alone, because both addresses would take 100 bytes of each of its places,
/// used or free. Sockets with the same ports, which only connections to several addresses can have,
/// are linked.
private struct SocketsByEnds {
    private var first: [UInt32: ConnectionSocket] = [:]
    private(set) var count = 0

    subscript(ends: ConnectionEnds) -> ConnectionSocket? {
        var socket = first[ends.ports]
        while let candidate = socket, candidate.ends != ends { socket = candidate.next }
        return socket
    }

    /// Adds a socket with ends that no other one has.
    mutating func insert(_ socket: ConnectionSocket) {
        guard let ends = socket.ends else { return }
        socket.next = first.updateValue(socket, forKey: ends.ports)
        count += 1
    }

    /// Removes a socket; does nothing if it isn't there.
    mutating func remove(_ socket: ConnectionSocket) {
        guard let ports = socket.ends?.ports, let head = first[ports] else { return }
        let rest = socket.next.take()
        if head === socket {
            first[ports] = rest
            count -= 1
            return
        }
        var previous = head
        while let candidate = previous.next {
            if candidate === socket {
                previous.next = rest
                count -= 1
                return
            }
            previous = candidate
        }
    }

    func forEach(_ body: (ConnectionSocket) -> Void) {
        for head in first.values {
            var socket: ConnectionSocket? = head
            while let current = socket {
                body(current)
                socket = current.next
            }
        }
    }
}

@available(*, unavailable)
extension ConnectionSocket: Sendable {}

@available(*, unavailable)
extension UsedSocketCount: Sendable {}
