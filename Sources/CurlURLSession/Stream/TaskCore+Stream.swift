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
        stream.connection.write(data, timeout: Duration(limit: timeout)) { [self] error in
            completion(error.map { userError(of: $0) })
        }
    }

    func closeRead() {
        stream?.connection.closeRead()
    }

    func closeWrite() {
        stream?.connection.closeWrite()
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
