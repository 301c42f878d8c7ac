internal import CCurl
internal import Glibc

/// An epoll set and the knowledge of what each descriptor is watched for.
///
/// Registrations are *lazy*: a socket that libcurl unwatches between two requests stays in the
/// epoll set, because it will be watched again for the next one. It is dropped when it fires
/// unwanted or is closed. Changes are collected and applied before the next wait, so that the last
/// word of a turn is the only one that costs a system call.
///
/// Owned by one loop thread. See `epoll(7)`.
@safe
package struct Reactor: ~Copyable {
    private let epoll: Int32
    private let wakeup: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var sockets: [WatchedSocket] = []
    private var changed: [Int32] = []
    private var marked: [String: Int32] = [:]
    private var refused: [RefusedSocket] = []

    /// A socket that the kernel didn't take into the set: no event will ever come of it.
    package struct RefusedSocket {
        package let descriptor: Int32
        /// What ``Reactor/socketOpened(_:for:)`` was told; nil for a socket that it wasn't told of.
        package let owner: UInt64?
        package let failure: SystemFailure
    }

    private struct WatchedSocket {
        /// What libcurl wants; nil where it wants nothing.
        var wanted: SocketInterest?
        /// What the epoll set has; nil where the descriptor is not in it.
        var registered: SocketInterest?
        /// Opened through ``Reactor/socketOpened(_:for:)``, so that its closing will be told too.
        var isTracked = false
        var isChanged = false
        /// Whom the socket was opened for.
        var owner: UInt64?
        /// A name that the loop may give to a connection, for as long as the connection lives.
        var mark: String?
    }

    /// Creates the set with a ``Wakeup``'s descriptor in it.
    package init(wakeup: Int32) throws(SystemFailure) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemFailure("epoll_create1", errno: errno) }
        guard Self.control(descriptor, EPOLL_CTL_ADD, wakeup, .read) == 0 else {
            let failure = SystemFailure("epoll_ctl", errno: errno)
            close(descriptor)
            throw failure
        }
        epoll = descriptor
        self.wakeup = wakeup
        unsafe events = .allocate(capacity: 512)
        unsafe events.initialize(repeating: epoll_event())
    }

    deinit {
        unsafe events.deallocate()
        close(epoll)
    }

    // MARK: What libcurl's callbacks record

    /// libcurl wants `descriptor` watched for `interest`, or no longer where it is nil.
    package mutating func watch(_ descriptor: Int32, for interest: SocketInterest?) {
        guard descriptor >= 0 else { return }
        grow(toHold: descriptor)
        let index = Int(descriptor)
        sockets[index].wanted = interest
        if interest == nil, !sockets[index].isTracked, sockets[index].registered != nil {
            // Nobody will tell when it is closed, and its number may come back in this very turn.
            _ = control(EPOLL_CTL_DEL, descriptor, [])
            sockets[index].registered = nil
        }
        if !sockets[index].isChanged {
            sockets[index].isChanged = true
            changed.append(descriptor)
        }
    }

    /// `descriptor` is a new socket, opened for `owner`, a number that the loop can name somebody by:
    /// whatever was known of its number is void.
    package mutating func socketOpened(_ descriptor: Int32, for owner: UInt64? = nil) {
        guard descriptor >= 0 else { return }
        grow(toHold: descriptor)
        unmark(descriptor)
        let isChanged = sockets[Int(descriptor)].isChanged
        sockets[Int(descriptor)] = WatchedSocket(
            isTracked: true,
            isChanged: isChanged,
            owner: owner
        )
    }

    /// Closes `descriptor`, which leaves the set first: its number may be given out at once again.
    package mutating func closeSocket(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        if sockets.indices.contains(Int(descriptor)) {
            unmark(descriptor)
            let isChanged = sockets[Int(descriptor)].isChanged
            if sockets[Int(descriptor)].registered != nil {
                _ = control(EPOLL_CTL_DEL, descriptor, [])
            }
            sockets[Int(descriptor)] = WatchedSocket(isChanged: isChanged)
        }
        close(descriptor)
    }

    /// Whether a socket of this number was opened and isn't closed.
    package func isOpen(_ descriptor: Int32) -> Bool {
        sockets.indices.contains(Int(descriptor)) && sockets[Int(descriptor)].isTracked
    }

    /// Marks a connection with a name until it is closed.
    package mutating func mark(_ descriptor: Int32, as name: String) {
        guard isOpen(descriptor) else { return }
        unmark(descriptor)
        sockets[Int(descriptor)].mark = name
        marked[name] = descriptor
    }

    /// Marks a connection with another name, if it is still open.
    package mutating func renameMarked(_ name: String, to other: String) {
        if let descriptor = marked[name] { mark(descriptor, as: other) }
    }

    /// Whether there is an open connection that was marked with a name.
    package func hasMarked(_ name: String) -> Bool {
        marked[name] != nil
    }

    private mutating func unmark(_ descriptor: Int32) {
        guard let name = sockets[Int(descriptor)].mark else { return }
        sockets[Int(descriptor)].mark = nil
        if marked[name] == descriptor { marked[name] = nil }
    }

    // MARK: The loop's part

    /// Waits for readiness, at most until `deadline` (nil: for ever; past: not at all), and not at
    /// all where ``hasRefused``.
    ///
    /// Answers how many events ``event(at:)`` now has.
    package mutating func wait(until deadline: MonotonicTime?) -> Int {
        applyChanges()
        var milliseconds: Int32 = -1
        if let deadline {
            let left = deadline.nanoseconds(since: .now)
            // Rounded up, so that the deadline has passed when the wait ends by it.
            milliseconds = left <= 0 ? 0 : Int32(clamping: (left + 999_999) / 1_000_000)
        }
        if hasRefused { milliseconds = 0 }
        let count = unsafe epoll_wait(
            epoll,
            events.baseAddress,
            Int32(events.count),
            milliseconds
        )
        return Int(max(0, count))
    }

    /// The event at `index`: a descriptor and what it is ready for.
    ///
    /// Nil for a socket that libcurl doesn't want watched now: it has left the set by this call.
    package mutating func event(at index: Int) -> (descriptor: Int32, ready: SocketInterest)? {
        let descriptor = unsafe ccurl_epoll_event_descriptor(&events[index])
        let flags = unsafe events[index].events
        if descriptor == wakeup { return (descriptor, .read) }
        guard sockets.indices.contains(Int(descriptor)) else { return nil }
        guard let wanted = sockets[Int(descriptor)].wanted, !wanted.isEmpty else {
            if sockets[Int(descriptor)].registered != nil {
                _ = control(EPOLL_CTL_DEL, descriptor, [])
                sockets[Int(descriptor)].registered = nil
            }
            return nil
        }
        var ready: SocketInterest = []
        if flags & EPOLLIN.rawValue != 0 { ready.insert(.read) }
        if flags & EPOLLOUT.rawValue != 0 { ready.insert(.write) }
        if flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
            ready.formUnion(wanted)
            ready.insert(.error)
        }
        return (descriptor, ready)
    }

    /// Whether there are sockets that ``takeRefused()`` would answer.
    package var hasRefused: Bool { !refused.isEmpty }

    /// The sockets that the kernel refused to watch since this was last asked.
    package mutating func takeRefused() -> [RefusedSocket] {
        defer { refused = [] }
        return refused
    }

    private mutating func applyChanges() {
        for descriptor in changed {
            let index = Int(descriptor)
            sockets[index].isChanged = false
            let socket = sockets[index]
            guard let wanted = socket.wanted, !wanted.isEmpty else { continue }
            guard socket.registered != wanted else { continue }
            if register(descriptor, for: wanted, isKnown: socket.registered != nil) {
                sockets[index].registered = wanted
            } else {
                let failure = SystemFailure("epoll_ctl", errno: errno)
                sockets[index].registered = nil
                refused.append(
                    RefusedSocket(descriptor: descriptor, owner: socket.owner, failure: failure)
                )
            }
        }
        changed.removeAll(keepingCapacity: true)
    }

    /// False leaves the reason in `errno`.
    private func register(
        _ descriptor: Int32,
        for wanted: SocketInterest,
        isKnown: Bool
    ) -> Bool {
        if control(isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, wanted) == 0 {
            return true
        }
        switch errno {
        case EEXIST: return control(EPOLL_CTL_MOD, descriptor, wanted) == 0
        case ENOENT: return control(EPOLL_CTL_ADD, descriptor, wanted) == 0
        default: return false
        }
    }

    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        _ interest: SocketInterest
    ) -> Int32 {
        Self.control(epoll, operation, descriptor, interest)
    }

    private static func control(
        _ epoll: Int32,
        _ operation: Int32,
        _ descriptor: Int32,
        _ interest: SocketInterest
    ) -> Int32 {
        var flags: UInt32 = 0
        if interest.contains(.read) { flags |= EPOLLIN.rawValue }
        if interest.contains(.write) { flags |= EPOLLOUT.rawValue }
        var event = unsafe epoll_event()
        unsafe ccurl_epoll_event_set(&event, flags, descriptor)
        return unsafe epoll_ctl(epoll, operation, descriptor, &event)
    }

    private mutating func grow(toHold descriptor: Int32) {
        let missing = Int(descriptor) + 1 - sockets.count
        guard missing > 0 else { return }
        let spare = max(missing, sockets.count, 64)
        sockets.append(contentsOf: repeatElement(WatchedSocket(), count: spare))
    }
}
