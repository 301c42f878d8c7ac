internal import CPosix
internal import Glibc

extension FileDescriptor {
    /// Opens those of the three standard descriptors that are closed at the program's start.
    ///
    /// Otherwise the next files and sockets would get their numbers, be read as standard input and
    /// receive messages. The opened descriptors can't be used: reading or writing is an error
    /// (`EBADF`), as before. Must be called before anything else is opened. The corresponding C
    /// functions are `fcntl` and `open`.
    package static func reserveStandard() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(number, F_GETFD) < 0 {
            // The kernel assigns the lowest free number, which is this one.
            _ = unsafe Glibc.open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Flushes printed text to the standard output.
    ///
    /// Call it before writing to something that may be the same file. The corresponding C function
    /// is `fflush`.
    ///
    /// - Returns: Whether the text was written. False for a closed pipe (`EPIPE`), which is no error.
    /// - Throws: An error if printed text was lost otherwise.
    @discardableResult
    package static func flushPrinted() throws(FileError) -> Bool {
        guard fflush(nil) != 0 else { return true }
        guard errno != EPIPE else { return false }
        throw FileError(operation: "write to", path: "standard output", errno: errno)
    }
}

extension FileDescriptor {
    /// Whether this is a pipe or socket whose reader has closed it. False for other files.
    ///
    /// The corresponding C function is `poll`.
    package var hasNoReader: Bool {
        var state = pollfd(fd: number, events: 0, revents: 0)
        guard unsafe poll(&state, 1, 0) == 1 else { return false }
        // The end (POLLHUP) is reported of a Unix socket, and an error of a pipe.
        return Int32(state.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }

    /// The number of columns of this terminal; nil if unknown, or if it isn't a terminal.
    package var terminalColumns: Int? { Self.known(terminalSize?.ws_col) }

    /// The number of lines of this terminal; nil if unknown, or if it isn't a terminal.
    package var terminalRows: Int? { Self.known(terminalSize?.ws_row) }

    /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
    private var terminalSize: winsize? {
        var size = winsize()
        return unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    private static func known(_ count: UInt16?) -> Int? {
        count.flatMap { $0 > 0 ? Int($0) : nil }
    }
}
