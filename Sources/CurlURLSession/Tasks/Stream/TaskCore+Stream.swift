internal import CurlTransport
internal import Foundation
internal import Synchronization

// Calls of a stream task's owner, and the calls to its delegate.

extension TaskCore {
    /// `nil` for other tasks, and for tasks without a session.
    private var stream: TaskStream? { state.withLock { $0.kind.stream } }

    private func userError(of error: TransportError) -> any Error {
        state.withLock { $0.userError(of: error) }
    }

    func read(
        _ minimum: Int,
        _ maximum: Int,
        timeout: TimeInterval,
        completion: @escaping @Sendable (Result<(Data, Bool), any Error>) -> Void
    ) {
        guard let stream else { return completion(.failure(noSession)) }
        guard !stream.isCaptured else { return completion(.failure(captured)) }
        let least = max(1, minimum)
        stream.connection.read(
            least...max(least, maximum),
            timeout: Duration(limit: timeout)
        ) { [self] result in
            completion(
                result.map { ($0.data, $0.isAtEnd) }.mapError { userError(of: $0) }
            )
        }
    }

    func write(
        _ data: Data,
        timeout: TimeInterval,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        guard let stream else { return completion(noSession) }
        guard !stream.isCaptured else { return completion(captured) }
        stream.connection.write(data, timeout: Duration(limit: timeout)) { [self] error in
            completion(error.map { userError(of: $0) })
        }
    }

    func closeRead() {
        if let stream, !stream.isCaptured { stream.connection.closeRead() }
    }

    func closeWrite() {
        if let stream, !stream.isCaptured { stream.connection.closeWrite() }
    }

    /// The error of calls made after the capture.
    private var captured: URLError {
        URLError(
            .networkConnectionLost,
            url: nil,
            reason: "the task's streams were captured; use the captured streams."
        )
    }

    func captureStreams() {
        let connection = state.withLock { state in
            state.kind.stream?.isCaptured = true
            return state.kind.stream?.connection
        }
        connection?.capture()
    }

    /// Makes the connection use TLS. An existing connection without TLS can't be changed.
    func secure() {
        let isEarly = state.withLock { state in
            if !state.life.hasBegun { state.kind.stream?.isSecure = true }
            return !state.life.hasBegun || state.kind.stream?.isSecure ?? false
        }
        if !isEarly { stop(because: unchangeable("TLS can't be started")) }
    }

    /// Makes the connection not use TLS. An existing connection with TLS can't be changed.
    func unsecure() {
        let isEarly = state.withLock { state in
            if !state.life.hasBegun { state.kind.stream?.isSecure = false }
            return !state.life.hasBegun || !(state.kind.stream?.isSecure ?? true)
        }
        if !isEarly { stop(because: unchangeable("TLS can't be stopped")) }
    }

    private func unchangeable(_ what: String) -> URLError {
        URLError(
            .secureConnectionFailed,
            url: state.withLock { $0.exchange.originalRequest?.url },
            reason: "\(what) on an existing connection; choose before the task is resumed."
        )
    }

    // MARK: The delegate

    /// Hands the connection to the delegate. This is a captured task's last call. Without a stream
    /// delegate, the connection is closed.
    func notifyCapture(_ step: TaskStep) {
        guard let task = step.task as? URLSessionStreamTask, let connection = stream?.connection
        else { return }
        guard let delegate = streamDelegate(step) else {
            connection.closeRead()
            return connection.closeWrite()
        }
        // If the connection has ended in the meantime, its end is reported instead.
        guard connection.release() else { return }
        state.withLock { $0.noteRelease() }
        finish()
        delegate.urlSession(
            step.session,
            streamTask: task,
            didBecome: CapturedInputStream(connection),
            outputStream: CapturedOutputStream(connection)
        )
    }

    /// The task's delegate if it is a stream delegate, otherwise the session's.
    private func streamDelegate(_ step: TaskStep) -> (any URLSessionStreamDelegate)? {
        step.delegates.task as? any URLSessionStreamDelegate
            ?? step.session.core.delegates?.stream
    }

    func notifyReadClosing(_ step: TaskStep) {
        guard let task = step.task as? URLSessionStreamTask else { return }
        streamDelegate(step)?.urlSession(step.session, readClosedFor: task)
    }

    func notifyWriteClosing(_ step: TaskStep) {
        guard let task = step.task as? URLSessionStreamTask else { return }
        streamDelegate(step)?.urlSession(step.session, writeClosedFor: task)
    }
}
