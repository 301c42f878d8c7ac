public import Foundation

/// What a session tells of its stream tasks.
public protocol URLSessionStreamDelegate: URLSessionTaskDelegate {
    /// The other end sends no more, or the task's owner reads no more. Bytes that came before can still
    /// be read in the former case.
    func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask)

    /// The task's owner writes no more, and all that was written was handed to the system.
    func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask)

    /// There is a better way to the other end. Nobody here looks for one, so it is never told.
    func urlSession(
        _ session: URLSession,
        betterRouteDiscoveredFor streamTask: URLSessionStreamTask
    )

    /// The task has become two streams, as ``URLSessionStreamTask/captureStreams()`` wished. It is over, and
    /// nothing more is told of it, neither metrics nor its completion.
    ///
    /// A read of the one waits for bytes, a write to the other until they were handed to the system; neither
    /// tells anything to a run loop. Each may be used by one thread at a time, both at once. Closing a
    /// stream, or letting go of it, closes its side of the connection.
    ///
    /// - Parameters:
    ///   - inputStream: What comes; to be opened. At its end, the other end sends no more.
    ///   - outputStream: What goes; to be opened.
    func urlSession(
        _ session: URLSession,
        streamTask: URLSessionStreamTask,
        didBecome inputStream: InputStream,
        outputStream: OutputStream
    )
}

extension URLSessionStreamDelegate {
    /// Tells the session's delegate.
    public func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
        session.streamDelegate(after: self)?.urlSession(session, readClosedFor: streamTask)
    }

    /// Tells the session's delegate.
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

    /// Tells the session's delegate.
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
