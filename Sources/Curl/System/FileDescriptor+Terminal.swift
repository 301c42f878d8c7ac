internal import CCurl
internal import Glibc

extension FileDescriptor {
    /// How many characters fit in a line of this terminal; nil if it is none, or doesn't say.
    /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
    package var terminalColumns: Int? {
        var size = winsize()
        guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
