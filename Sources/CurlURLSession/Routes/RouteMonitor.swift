internal import Curl
package import Dispatch
internal import Synchronization

/// Tells when interfaces, addresses or routes come or go, from when it is made until ``cancel()``.
package final class RouteMonitor: Sendable {
    /// A socket outlives the source that reads it.
    private final class Socket: Sendable {
        let socket: RouteSocket

        init() throws(SystemFailure) {
            socket = try RouteSocket()
        }
    }

    private let cancellation: Mutex<(@Sendable () -> Void)?>

    /// - Parameters:
    ///   - queue: Where `onChange` is called; one call may stand for many changes.
    ///   - onChange: Is let go of by ``cancel()``.
    /// - Throws: What the kernel refuses the socket for.
    package init(queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) throws {
        let socket = try Socket()
        let source = DispatchSource.makeReadSource(
            fileDescriptor: socket.socket.descriptor,
            queue: queue
        )
        source.setEventHandler {
            socket.socket.drain()
            onChange()
        }
        // The descriptor isn't to be closed before nobody watches it.
        source.setCancelHandler { extendLifetime(socket) }
        source.activate()
        let watched = WatchedSource(source: source)
        cancellation = Mutex { watched.source.cancel() }
    }

    deinit {
        cancel()
    }

    /// Tells nothing any more, but what has begun already.
    package func cancel() {
        cancellation.withLock { $0.take() }?()
    }

    /// `@unchecked Sendable`: nothing here changes, and Dispatch's sources may be used on any thread.
    private struct WatchedSource: @unchecked Sendable {
        let source: any DispatchSourceRead
    }
}
