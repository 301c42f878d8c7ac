public import Foundation

/// What a session would tell of its stream tasks, of which there are none here.
public protocol URLSessionStreamDelegate: URLSessionTaskDelegate {
    /// The other end sends no more.
    func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask)

    /// The other end takes no more.
    func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask)

    /// There is a better way to the other end.
    func urlSession(
        _ session: URLSession,
        betterRouteDiscoveredFor streamTask: URLSessionStreamTask
    )

    /// The task has become two streams.
    func urlSession(
        _ session: URLSession,
        streamTask: URLSessionStreamTask,
        didBecome inputStream: InputStream,
        outputStream: OutputStream
    )
}

extension URLSessionStreamDelegate {
    /// Does nothing.
    public func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {}

    /// Does nothing.
    public func urlSession(
        _ session: URLSession,
        writeClosedFor streamTask: URLSessionStreamTask
    ) {}

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
