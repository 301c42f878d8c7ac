internal import CPosix
internal import Glibc

/// An epoll instance that watches descriptors, each under a token of the caller's.
///
/// ``Reactor`` watches the sockets of libcurl. This one is for a server in tests.
package struct TokenPoller: ~Copyable, Sendable {
    /// What is awaited of a descriptor.
    package struct Interest: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let readable = Interest(rawValue: EPOLLIN.rawValue)
        package static let writable = Interest(rawValue: EPOLLOUT.rawValue)
        /// The peer has closed its side, or all of the connection.
        package static let hangup = Interest(
            rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
        )
    }

    private let descriptor: Int32
    private var tokens = [UInt](repeating: 0, count: 256)

    package init() throws(SystemFailure) {
        let poller = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poller >= 0 else { throw SystemFailure("epoll_create1", errno: errno) }
        descriptor = poller
    }

    deinit {
        close(descriptor)
    }

    /// Starts to watch a descriptor.
    package func watch(_ watched: Int32, _ interest: Interest, token: UInt) {
        _ = cposix_poll_control(descriptor, EPOLL_CTL_ADD, watched, interest.rawValue, token)
    }

    /// Changes what is awaited of a descriptor.
    package func rewatch(_ watched: Int32, _ interest: Interest, token: UInt) {
        _ = cposix_poll_control(descriptor, EPOLL_CTL_MOD, watched, interest.rawValue, token)
    }

    /// Stops watching a descriptor. Closing it has the same effect.
    package func unwatch(_ watched: Int32) {
        _ = cposix_poll_control(descriptor, EPOLL_CTL_DEL, watched, 0, 0)
    }

    /// Waits until a descriptor is ready, and returns the tokens of those that are.
    ///
    /// - Parameter milliseconds: The maximum time; -1 for no maximum.
    package mutating func wait(_ milliseconds: Int32) -> ArraySlice<UInt> {
        let count = unsafe cposix_poll(descriptor, &tokens, milliseconds)
        return tokens.prefix(max(Int(count), 0))
    }
}
