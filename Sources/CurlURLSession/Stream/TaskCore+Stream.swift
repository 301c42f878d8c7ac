internal import CurlTransport
internal import Foundation
internal import Synchronization

// What a stream task's owner does, and what its delegate is told.

extension TaskCore {
    /// `nil` for other tasks, and for those of no session.
    private var stream: TaskStream? { state.withLock { $0.stream } }

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

    /// What those are told who come when the connection isn't the task's any more.
    private var captured: URLError {
        URLError(
            .networkConnectionLost,
            url: nil,
            reason: "the streams of the task were captured; read and write those."
        )
    }

    func captureStreams() {
        let connection = state.withLock { state in
            state.stream?.isCaptured = true
            return state.stream?.connection
        }
        connection?.capture()
    }

    /// Has the connection begin with TLS; one that has begun without can't be changed.
    func secure() {
        let isEarly = state.withLock { state in
            if !state.life.hasBegun { state.stream?.isSecure = true }
            return !state.life.hasBegun || state.stream?.isSecure ?? false
        }
        if !isEarly { stop(because: unchangeable("TLS can't be begun")) }
    }

    /// Has the connection begin without TLS; one that has begun with it can't be changed.
    func unsecure() {
        let isEarly = state.withLock { state in
            if !state.life.hasBegun { state.stream?.isSecure = false }
            return !state.life.hasBegun || !(state.stream?.isSecure ?? true)
        }
        if !isEarly { stop(because: unchangeable("TLS can't be ended")) }
    }

    private func unchangeable(_ what: String) -> URLError {
        URLError(
            .secureConnectionFailed,
            url: state.withLock { $0.originalRequest?.url },
            reason: "\(what) on a connection that was begun; say so before the task is resumed."
        )
    }

    // MARK: The delegate

    /// The last thing that is told of a task that gives its connection away. A delegate that isn't one of
    /// streams has no use for it.
    func tellCapture(_ step: TaskStep) {
        guard let task = step.task as? URLSessionStreamTask, let connection = stream?.connection
        else { return }
        guard let delegate = streamDelegate(step) else {
            connection.closeRead()
            return connection.closeWrite()
        }
        // Where it has ended meanwhile, that is told in its own words.
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

    /// The task's own, where it is one for streams, else the session's.
    private func streamDelegate(_ step: TaskStep) -> (any URLSessionStreamDelegate)? {
        step.recipients.task as? any URLSessionStreamDelegate
            ?? step.session.core.delegates?.stream
    }

    func tellReadClosing(_ step: TaskStep) {
        guard let task = step.task as? URLSessionStreamTask else { return }
        streamDelegate(step)?.urlSession(step.session, readClosedFor: task)
    }

    func tellWriteClosing(_ step: TaskStep) {
        guard let task = step.task as? URLSessionStreamTask else { return }
        streamDelegate(step)?.urlSession(step.session, writeClosedFor: task)
    }
}
