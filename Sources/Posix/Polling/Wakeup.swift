internal import CPosix
internal import Glibc

/// An eventfd that wakes a waiting loop or worker from any thread.
///
/// A loop waits in ``Reactor/wait(until:)``, a worker for jobs.
package struct Wakeup: ~Copyable, Sendable {
    package let descriptor: Int32

    package init() throws(SystemFailure) {
        let counter = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard counter >= 0 else { throw SystemFailure("eventfd", errno: errno) }
        descriptor = counter
    }

    deinit {
        close(descriptor)
    }

    /// Makes the descriptor readable. May be called on any thread.
    package borrowing func signal() {
        // It can only fail if the counter is full, and then the loop is already woken.
        _ = eventfd_write(descriptor, 1)
    }

    /// Makes the descriptor unreadable again. Called by the loop.
    package borrowing func clear() {
        Self.clear(descriptor)
    }

    /// Waits for a signal on `descriptor`, and clears it. For threads without a reactor.
    package static func wait(on descriptor: Int32) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe Glibc.poll(&poll, 1, -1) < 0, errno == EINTR {}
        clear(descriptor)
    }

    private static func clear(_ descriptor: Int32) {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }
}

extension Wakeup {
    /// Waits for a signal until `deadline`, and clears it. Nil waits without a limit.
    package borrowing func wait(until deadline: MonotonicTime?) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, Self.milliseconds(until: deadline)) < 0, errno == EINTR {}
        clear()
    }

    /// Waits until a file is readable (or at its end), or for a signal. Returns true for the file.
    ///
    /// The signal is not cleared, so the next wait returns at once.
    package borrowing func wait(orReadable file: borrowing FileDescriptor) -> Bool {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: file.number, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&waiting, 2, -1) < 0, errno == EINTR {}
        return waiting[0].revents == 0
    }

    /// Waits until a socket is ready, for a signal, which it clears, or until `deadline`.
    ///
    /// - Parameters:
    ///   - socket: A descriptor of the caller's; -1 waits for the signal only.
    ///   - interest: What is awaited of the socket.
    ///   - deadline: `nil` waits without a limit.
    /// - Returns: The socket's readiness; empty after a signal or the deadline. A socket that has
    ///   failed is ready for everything that was awaited.
    package static func wait(
        on wakeup: Int32,
        orSocket socket: Int32,
        for interest: SocketInterest,
        until deadline: MonotonicTime?
    ) -> SocketInterest {
        var events: Int16 = 0
        if interest.contains(.read) { events |= Int16(POLLIN) }
        if interest.contains(.write) { events |= Int16(POLLOUT) }
        var waiting = [
            pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: events, revents: 0),
        ]
        while unsafe poll(&waiting, 2, milliseconds(until: deadline)) < 0, errno == EINTR {}
        if waiting[0].revents != 0 { clear(wakeup) }
        var ready: SocketInterest = []
        if waiting[1].revents & Int16(POLLIN) != 0 { ready.insert(.read) }
        if waiting[1].revents & Int16(POLLOUT) != 0 { ready.insert(.write) }
        if waiting[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
            ready.formUnion(interest)
        }
        return ready
    }

    /// Rounded up, so that the deadline has passed when the wait times out.
    private static func milliseconds(until deadline: MonotonicTime?) -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline.nanoseconds(since: .now)
        return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
    }
}
