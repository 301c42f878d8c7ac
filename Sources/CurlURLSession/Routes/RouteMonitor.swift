package import Dispatch
internal import Posix
internal import Synchronization

/// Reports changes of interfaces, addresses and routes, until ``cancel()`` is called.
package final class RouteMonitor: Sendable {
    /// Owns the socket, which must outlive the source that reads it.
    private final class Socket: Sendable {
        let socket: RouteSocket

        init() throws(SystemFailure) {
            socket = try RouteSocket()
        }
    }

    private let cancellation: Mutex<(@Sendable () -> Void)?>

    /// - Parameters:
    ///   - queue: The queue on which `onChange` is called; one call may report many changes.
    ///   - onChange: Called after a change. ``cancel()`` releases it.
    /// - Throws: The kernel's error on opening the socket.
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
        // The descriptor must stay open until the source has stopped watching it.
        source.setCancelHandler { extendLifetime(socket) }
        source.activate()
        let watched = WatchedSource(source: source)
        cancellation = Mutex { watched.source.cancel() }
    }

    deinit {
        cancel()
    }

    /// Stops the monitor. A call that has already begun still completes.
    package func cancel() {
        cancellation.withLock { $0.take() }?()
    }

    // `@unchecked Sendable`: the one stored property is constant, and Dispatch sources may be used
    // on any thread.
    private struct WatchedSource: @unchecked Sendable {
        let source: any DispatchSourceRead
    }
}
