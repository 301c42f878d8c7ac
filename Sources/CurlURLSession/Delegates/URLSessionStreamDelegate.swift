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

    /// The task has become two streams. No method asks for that here, so it is never told.
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

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        streamTask: URLSessionStreamTask,
        didBecome inputStream: InputStream,
        outputStream: OutputStream
    ) {}
}
