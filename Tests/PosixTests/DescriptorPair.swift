import Glibc

@testable import Posix

/// Two connected sockets that are closed with the value.
final class DescriptorPair: Sendable {
    let first: Int32
    let second: Int32

    /// Creates the pair. Children don't inherit it.
    ///
    /// - Parameter isBlocking: Whether calls wait. Those of a loop's sockets don't.
    init(isBlocking: Bool = false) throws {
        var numbers: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let code = socketpair(
            AF_UNIX,
            isBlocking ? kind : kind | Int32(SOCK_NONBLOCK.rawValue),
            0,
            &numbers
        )
        guard code == 0 else { throw SystemFailure("socketpair", errno: errno) }
        (first, second) = (numbers[0], numbers[1])
    }

    deinit {
        close(first)
        close(second)
    }

    /// Views of the sockets, which don't close them.
    var reader: FileDescriptor { FileDescriptor(number: first, path: "socket", isOwned: false) }
    var writer: FileDescriptor { FileDescriptor(number: second, path: "socket", isOwned: false) }
}
