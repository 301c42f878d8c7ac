public import Foundation

/// A task that reads and writes the bytes of a TCP connection, with TLS or without.
///
/// Reads are served in the order in which they were asked for, and so are writes; both may be asked for
/// before the task is resumed, and wait until the connection stands. Handlers are called on the
/// session's delegate queue; asynchronous methods go on beside it. The task completes when both sides
/// are closed, or the connection fails. It goes through the session's proxies, and an HTTP proxy is
/// asked for a tunnel.
///
/// TLS can be chosen before the task is resumed only.
///
/// `@unchecked Sendable`: it stores nothing beside what ``URLSessionTask`` does.
open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {
    /// Always `nil`: a stream task asks for nothing.
    open override var originalRequest: URLRequest? { nil }

    /// Always `nil`: a stream task asks for nothing.
    open override var currentRequest: URLRequest? { nil }

    // MARK: Bytes

    /// Reads bytes, behind the reads before.
    ///
    /// - Parameters:
    ///   - minBytes: How many at least, unless the other end sends no more; one at least.
    ///   - maxBytes: How many at most.
    ///   - timeout: For how many seconds the read may wait; 0 for as long as it takes. One that is given
    ///     up takes no byte, and the task goes on.
    ///   - completionHandler: Called with the bytes, and with whether they were the last ones; or with
    ///     the reason why there are none: a `URLError`.
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

    /// Reads bytes, behind the reads before.
    ///
    /// - Parameters:
    ///   - minBytes: How many at least, unless the other end sends no more; one at least.
    ///   - maxBytes: How many at most.
    ///   - timeout: For how many seconds the read may wait; 0 for as long as it takes. One that is given
    ///     up takes no byte, and the task goes on.
    /// - Returns: The bytes, and whether they were the last ones.
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

    /// Writes bytes, behind the writes before.
    ///
    /// - Parameters:
    ///   - timeout: For how many seconds the write may wait; 0 for as long as it takes. One that is given
    ///     up when some of its bytes are sent already ends the task.
    ///   - completionHandler: Called once all bytes were handed to the system, with `nil`, or with the
    ///     reason why they couldn't be: a `URLError`.
    open func write(
        _ data: Data,
        timeout: TimeInterval,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        core.write(data, timeout: timeout) { [core] error in
            core.callLater { completionHandler(error) }
        }
    }

    /// Writes bytes, behind the writes before, and returns once all were handed to the system.
    ///
    /// - Parameter timeout: For how many seconds the write may wait; 0 for as long as it takes. One that
    ///   is given up when some of its bytes are sent already ends the task.
    /// - Throws: `URLError`.
    open func write(_ data: Data, timeout: TimeInterval) async throws {
        let error = await withCheckedContinuation {
            (continuation: CheckedContinuation<(any Error)?, Never>) in
            core.write(data, timeout: timeout) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    // MARK: Sides

    /// Closes the reading side once the reads so far are served: what comes then is dropped. The delegate
    /// is told.
    open func closeRead() {
        core.closeRead()
    }

    /// Closes the writing side once the writes so far are done, and tells the other end so. The delegate
    /// is told. Over TLS the other end hears of it when the connection ends.
    open func closeWrite() {
        core.closeWrite()
    }

    /// Has the task give its connection away, once the reads and writes so far are done: the delegate gets
    /// it as two streams, by ``URLSessionStreamDelegate/urlSession(_:streamTask:didBecome:outputStream:)``,
    /// and the task is over with that, without metrics and without a completion.
    ///
    /// What is asked of the task from now on fails with `URLError.networkConnectionLost`. If the connection
    /// ends before, or there is no delegate for stream tasks, the task completes as others do.
    open func captureStreams() {
        core.captureStreams()
    }

    // MARK: TLS

    /// Has the connection made with TLS, with the session's settings and questions of trust. To be called
    /// before the task is resumed: later it ends the task with `URLError.secureConnectionFailed`, for
    /// libcurl can't begin TLS on a connection that stands.
    open func startSecureConnection() {
        core.secure()
    }

    /// Takes ``startSecureConnection()`` back, before the task is resumed. Later it ends a task that has
    /// TLS with `URLError.secureConnectionFailed`.
    open func stopSecureConnection() {
        core.unsecure()
    }
}
