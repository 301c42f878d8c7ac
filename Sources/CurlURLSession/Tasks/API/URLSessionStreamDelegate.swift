public import Foundation

/// The delegate methods for stream tasks.
public protocol URLSessionStreamDelegate: URLSessionTaskDelegate {
    /// Called when the read side is closed, by the other end or the owner.
    ///
    /// The owner is the owner of the task. If the other end closed it, bytes that arrived before
    /// can still be read.
    func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask)

    /// Called when the task's owner has closed the write side. All written bytes were handed to the
    /// system.
    func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask)

    /// Never called: the session doesn't look for better routes.
    func urlSession(
        _ session: URLSession,
        betterRouteDiscoveredFor streamTask: URLSessionStreamTask
    )

    /// Called when the task has become two streams, after
    /// ``URLSessionStreamTask/captureStreams()``.
    ///
    /// The task is over. The session makes no more calls for it, neither for metrics nor for
    /// completion.
    ///
    /// A read of the input stream blocks until bytes arrive. A write to the output stream blocks
    /// until the system has taken them. Neither supports run loops. Each stream may be used by one
    /// thread at a time, both streams at the same time. Closing or releasing a stream closes its
    /// side of the connection.
    ///
    /// - Parameters:
    ///   - inputStream: The stream to read from. Open it first. It ends when the other end stops
    ///     sending.
    ///   - outputStream: The stream to write to. Open it first.
    func urlSession(
        _ session: URLSession,
        streamTask: URLSessionStreamTask,
        didBecome inputStream: InputStream,
        outputStream: OutputStream
    )
}

extension URLSessionStreamDelegate {
    /// Calls the session's delegate.
    public func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
        session.streamDelegate(after: self)?.urlSession(session, readClosedFor: streamTask)
    }

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        writeClosedFor streamTask: URLSessionStreamTask
    ) {
        session.streamDelegate(after: self)?.urlSession(session, writeClosedFor: streamTask)
    }

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        betterRouteDiscoveredFor streamTask: URLSessionStreamTask
    ) {}

    /// Calls the session's delegate.
    public func urlSession(
        _ session: URLSession,
        streamTask: URLSessionStreamTask,
        didBecome inputStream: InputStream,
        outputStream: OutputStream
    ) {
        session.streamDelegate(after: self)?.urlSession(
            session,
            streamTask: streamTask,
            didBecome: inputStream,
            outputStream: outputStream
        )
    }
}
