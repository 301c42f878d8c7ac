internal import Glibc

extension FileDescriptor {
    /// Opens those of the three standard descriptors that the program was started without.
    ///
    /// Otherwise the next files and sockets to be opened would take their numbers, be read as
    /// standard input and have messages written into them. What is opened can't be used: to read
    /// from or to write to it is an error (`EBADF`), as it was before. To be called before anything
    /// else is opened. The corresponding C functions are `fcntl` and `open`.
    package static func reserveStandard() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is given out, which is this one.
            _ = unsafe Glibc.open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes out what was printed to the standard output, before anything else is written to where that
    /// may lead, too. The corresponding C function is `fflush`.
    ///
    /// - Throws: What was printed is lost. That nobody reads it (`EPIPE`) is no error.
    package static func flushPrinted() throws(FileError) {
        guard fflush(nil) != 0, errno != EPIPE else { return }
        throw FileError(operation: "write to", path: "standard output", errno: errno)
    }
}
