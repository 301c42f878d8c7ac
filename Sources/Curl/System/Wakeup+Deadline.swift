internal import CCurl
internal import Glibc

extension Wakeup {
    /// Waits until somebody signals, or until `deadline` (nil: for ever), and clears.
    package borrowing func wait(until deadline: MonotonicTime?) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, Self.milliseconds(until: deadline)) < 0, errno == EINTR {}
        clear()
    }

    /// Waits until a file can be read (which includes its end), or until somebody signals; true for
    /// the file. The signal is not cleared: whoever waits next is told at once.
    package borrowing func wait(orReadable file: borrowing FileDescriptor) -> Bool {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: file.number, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&waiting, 2, -1) < 0, errno == EINTR {}
        return waiting[0].revents == 0
    }

    /// Rounded up, so that the deadline has passed when the wait ends by it.
    private static func milliseconds(until deadline: MonotonicTime?) -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline.nanoseconds(since: .now)
        return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
    }
}
