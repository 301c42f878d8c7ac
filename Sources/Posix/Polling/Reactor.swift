internal import CPosix
internal import Glibc

/// An epoll set, with the registered interest of each descriptor.
///
/// Registrations are *lazy*: a socket that libcurl stops watching between two requests stays in the
/// epoll set, because the next request will watch it again. It is removed when an unwanted event
/// occurs, or when it is closed. Changes are collected and applied before the next wait, so that
/// only the last change of a turn costs a system call.
///
/// Owned by one loop thread. See `epoll(7)`.
@safe
package struct Reactor: ~Copyable {
    private let epoll: Int32
    private let wakeup: Int32
    private let events: UnsafeMutablePointer<epoll_event>
    /// The maximum number of events of a turn, that of the wake-up included.
    ///
    /// A turn has several steps, and each goes through all transfers with an event. Those of so few
    /// connections, of 10 to 20 KiB for each transfer, mostly stay in a core's second-level cache
    /// from the first step to the last one. Benchmarks/README.md has figures.
    package static let maximumEvents = 32
    private var sockets: [WatchedSocket] = []
    private var changed: [Int32] = []
    private var refused: [RefusedSocket] = []

    /// A socket that the kernel refused to watch. It never has events.
    package struct RefusedSocket {
        package let descriptor: Int32
        /// The owner passed to ``Reactor/socketOpened(_:for:)``; nil without such a call.
        package let owner: UInt64?
        package let failure: SystemFailure
    }

    private struct WatchedSocket {
        /// The interest that libcurl requests; nil for none.
        var wanted: SocketInterest?
        /// The interest in the epoll set; nil if the descriptor is not in it.
        var registered: SocketInterest?
        /// Whether it was opened through ``Reactor/socketOpened(_:for:)``, so that its closing is
        /// reported.
        var isTracked = false
        var isChanged = false
        /// The owner of the socket.
        var owner: UInt64?
    }

    /// Creates the set, and adds the descriptor of a ``Wakeup``.
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
        unsafe events = .allocate(capacity: Self.maximumEvents)
        unsafe events.initialize(repeating: epoll_event(), count: Self.maximumEvents)
    }

    deinit {
        unsafe events.deallocate()
        close(epoll)
    }

    // MARK: Recording libcurl's callbacks

    /// Records that libcurl wants `descriptor` watched for `interest`; nil for none.
    package mutating func watch(_ descriptor: Int32, for interest: SocketInterest?) {
        guard descriptor >= 0 else { return }
        grow(toHold: descriptor)
        let index = Int(descriptor)
        sockets[index].wanted = interest
        if interest == nil, !sockets[index].isTracked, sockets[index].registered != nil {
            // Its closing won't be reported, and its number may be reused in this turn.
            _ = control(EPOLL_CTL_DEL, descriptor, [])
            sockets[index].registered = nil
        }
        if !sockets[index].isChanged {
            sockets[index].isChanged = true
            changed.append(descriptor)
        }
    }

    /// Records `descriptor` as a new socket, and discards the state of its number.
    ///
    /// `owner` is a number by which the loop identifies the socket's owner.
    package mutating func socketOpened(_ descriptor: Int32, for owner: UInt64? = nil) {
        guard descriptor >= 0 else { return }
        grow(toHold: descriptor)
        let isChanged = sockets[Int(descriptor)].isChanged
        sockets[Int(descriptor)] = WatchedSocket(
            isTracked: true,
            isChanged: isChanged,
            owner: owner
        )
    }

    /// Closes `descriptor`. It is removed from the set before, because its number may be reused at
    /// once.
    package mutating func closeSocket(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        if sockets.indices.contains(Int(descriptor)) {
            let isChanged = sockets[Int(descriptor)].isChanged
            if sockets[Int(descriptor)].registered != nil {
                _ = control(EPOLL_CTL_DEL, descriptor, [])
            }
            sockets[Int(descriptor)] = WatchedSocket(isChanged: isChanged)
        }
        close(descriptor)
    }

    /// Whether libcurl wants a socket watched.
    package func isWatched(_ descriptor: Int32) -> Bool {
        sockets.indices.contains(Int(descriptor))
            && sockets[Int(descriptor)].wanted.map { !$0.isEmpty } ?? false
    }

    // MARK: Waiting for events

    /// Waits for readiness until `deadline`, and returns the number of events for ``event(at:)``.
    ///
    /// Nil waits without a limit. A past deadline doesn't wait, nor does a reactor that
    /// ``hasRefused`` sockets.
    package mutating func wait(until deadline: MonotonicTime?) -> Int {
        applyChanges()
        var milliseconds: Int32 = -1
        if let deadline {
            let left = deadline.nanoseconds(since: .now)
            // Rounded up, so that the deadline has passed when the wait times out.
            milliseconds = left <= 0 ? 0 : Int32(clamping: (left + 999_999) / 1_000_000)
        }
        if hasRefused { milliseconds = 0 }
        let count = unsafe epoll_wait(epoll, events, Int32(Self.maximumEvents), milliseconds)
        return Int(max(0, count))
    }

    /// The event at `index`: a descriptor and its readiness.
    ///
    /// Nil for a socket that libcurl doesn't want watched now. This call removes it from the set.
    package mutating func event(at index: Int) -> (descriptor: Int32, ready: SocketInterest)? {
        let descriptor = unsafe cposix_epoll_event_descriptor(&events[index])
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

    /// Whether ``takeRefused()`` would return any sockets.
    package var hasRefused: Bool { !refused.isEmpty }

    /// The sockets that the kernel has refused to watch since the last call.
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

    /// Returns false with the reason in `errno`.
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
        unsafe cposix_epoll_event_set(&event, flags, descriptor)
        return unsafe epoll_ctl(epoll, operation, descriptor, &event)
    }

    private mutating func grow(toHold descriptor: Int32) {
        let missing = Int(descriptor) + 1 - sockets.count
        guard missing > 0 else { return }
        let added = max(missing, sockets.count, 64)
        sockets.append(contentsOf: repeatElement(WatchedSocket(), count: added))
    }
}

/// The events for which a socket is watched, or its readiness.
package struct SocketInterest: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let read = SocketInterest(rawValue: 1)
    package static let write = SocketInterest(rawValue: 2)
    /// Readiness only: an error or a hang-up.
    package static let error = SocketInterest(rawValue: 4)
}
