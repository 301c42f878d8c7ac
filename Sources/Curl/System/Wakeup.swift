internal import CCurl
internal import Glibc

/// An eventfd by which any thread wakes a loop that waits in ``Reactor/wait(until:)``,
/// or a worker that waits for jobs.
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

    /// Makes the descriptor readable; any thread may call it.
    package borrowing func signal() {
        // It can only fail when the counter is full, and then the loop is woken already.
        _ = eventfd_write(descriptor, 1)
    }

    /// Makes the descriptor unreadable again; the loop's part.
    package borrowing func clear() {
        Self.clear(descriptor)
    }

    /// Waits until somebody signals the one whose descriptor this is, and clears it. For threads
    /// that have no reactor.
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
