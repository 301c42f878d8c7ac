public import Foundation

// `@unchecked Sendable`: it adds no stored property to those of ``URLSessionTask``.
/// Reads and writes bytes over a TCP connection, optionally with TLS.
///
/// Reads complete in the order of their calls, and so do writes. Both may be called before the task
/// is resumed, and wait until the connection is open. Handlers are called on the session's delegate
/// queue; asynchronous methods don't wait for it. The task completes when both sides are closed, or
/// when the connection fails. It uses the session's proxies; with an HTTP proxy it opens a tunnel
/// (`CONNECT`).
///
/// TLS can only be chosen before the task is resumed.
open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {
    /// Always `nil`: a stream task has no request.
    open override var originalRequest: URLRequest? { nil }

    /// Always `nil`: a stream task has no request.
    open override var currentRequest: URLRequest? { nil }

    // MARK: Bytes

    /// Reads bytes, after all earlier reads.
    ///
    /// - Parameters:
    ///   - minBytes: The smallest number of bytes, unless the stream ends; at least one.
    ///   - maxBytes: The largest number of bytes.
    ///   - timeout: The longest wait in seconds; 0 for no limit. A read that times out takes no
    ///     bytes, and the task continues.
    ///   - completionHandler: Called with the bytes, and whether the stream has ended; or with a
    ///     `URLError`.
    open func readData(
        ofMinLength minBytes: Int,
        maxLength maxBytes: Int,
        timeout: TimeInterval,
        completionHandler: @escaping @Sendable (Data?, Bool, (any Error)?) -> Void
    ) {
        core.read(minBytes, maxBytes, timeout: timeout) { [core] result in
            core.callLater {
                switch result {
                case .success((let data, let isAtEnd)): completionHandler(data, isAtEnd, nil)
                case .failure(let error): completionHandler(nil, false, error)
                }
            }
        }
    }

    /// Reads bytes, after all earlier reads.
    ///
    /// - Parameters:
    ///   - minBytes: The smallest number of bytes, unless the stream ends; at least one.
    ///   - maxBytes: The largest number of bytes.
    ///   - timeout: The longest wait in seconds; 0 for no limit. A read that times out takes no
    ///     bytes, and the task continues.
    /// - Returns: The bytes, and whether the stream has ended.
    /// - Throws: `URLError`.
    open func readData(
        ofMinLength minBytes: Int,
        maxLength maxBytes: Int,
        timeout: TimeInterval
    ) async throws -> (Data?, Bool) {
        typealias Continuation = CheckedContinuation<(Data, Bool), any Error>
        let (data, isAtEnd) = try await withCheckedThrowingContinuation {
            (continuation: Continuation) in
            core.read(minBytes, maxBytes, timeout: timeout) { continuation.resume(with: $0) }
        }
        return (data, isAtEnd)
    }

    /// Writes bytes, after all earlier writes.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait in seconds; 0 for no limit. A write that times out after some
    ///     of its bytes were sent ends the task.
    ///   - completionHandler: Called with `nil` when the system has accepted all bytes, or with a
    ///     `URLError`.
    open func write(
        _ data: Data,
        timeout: TimeInterval,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        core.write(data, timeout: timeout) { [core] error in
            core.callLater { completionHandler(error) }
        }
    }

    /// Writes bytes, after all earlier writes. Returns when the system has accepted them.
    ///
    /// - Parameter timeout: The longest wait in seconds; 0 for no limit. A write that times out
    ///   after some of its bytes were sent ends the task.
    /// - Throws: `URLError`.
    open func write(_ data: Data, timeout: TimeInterval) async throws {
        let error = await withCheckedContinuation {
            (continuation: CheckedContinuation<(any Error)?, Never>) in
            core.write(data, timeout: timeout) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    // MARK: Sides

    /// Closes the reading side once all earlier reads have completed.
    ///
    /// Bytes that arrive later are discarded. The session calls the delegate.
    open func closeRead() {
        core.closeRead()
    }

    /// Closes the writing side once all earlier writes have completed.
    ///
    /// The peer is notified; over TLS only when the connection ends. The session calls the
    /// delegate.
    open func closeWrite() {
        core.closeWrite()
    }

    /// Hands the connection to the delegate after all earlier reads and writes.
    ///
    /// The delegate gets two streams in
    /// ``URLSessionStreamDelegate/urlSession(_:streamTask:didBecome:outputStream:)``. This ends the
    /// task, without metrics and without a completion.
    ///
    /// Later calls to the task fail with `URLError.networkConnectionLost`. If the connection ends
    /// before the hand-over, or there is no delegate for stream tasks, the task completes as usual.
    open func captureStreams() {
        core.captureStreams()
    }

    // MARK: TLS

    /// Makes the connection use TLS, with the session's settings and trust evaluation.
    ///
    /// Call it before the task is resumed. Later it ends the task with
    /// `URLError.secureConnectionFailed`, because libcurl can't start TLS on an open connection.
    open func startSecureConnection() {
        core.secure()
    }

    /// Reverts ``startSecureConnection()`` before the task is resumed.
    ///
    /// Later it ends a task that uses TLS with `URLError.secureConnectionFailed`.
    open func stopSecureConnection() {
        core.unsecure()
    }
}
