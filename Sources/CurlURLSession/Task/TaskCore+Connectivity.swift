internal import CurlTransport
internal import Foundation
internal import Synchronization

// Tasks of sessions that wait for connectivity.

extension TaskCore {
    /// Tries again after a while, if it was for want of a way. Reads files: not on a loop's thread.
    func waitForConnectivity(after error: TransportError) {
        guard ConnectivityWait.isTheCause(of: error) else {
            state.withLock { state in state.finish(with: state.urlError(error)) }
            return advance()
        }
        if let delay = state.withLock({ $0.noteWaiting() }) {
            setAlarm(after: delay) { task in
                task.state.withLock { $0.tryAgain() }
                task.advance()
            }
        }
        advance()
    }
}

extension TaskState {
    /// Whether the task waits rather than fails, as far as that is known by now.
    mutating func mayWait(after failure: LoadOutcome.Failure) -> Bool {
        guard case .transport(let error) = failure, load?.response == nil,
            session?.core.settings.waitsForConnectivity ?? false,
            ConnectivityWait.isConceivable(for: error)
        else { return false }
        connectivity.note(error)
        load?.phase = .held
        return true
    }

    /// How many seconds the task waits; `nil` once it is over. No longer than it may take.
    mutating func noteWaiting() -> TimeInterval? {
        guard !hasEnded else { return nil }
        if !connectivity.hasBegun, recipients.task != nil { delivery.noteWaiting() }
        let left = timeLeft(of: session?.core.settings.resourceLimit)
        return min(connectivity.nextDelay(), max(0, left?.timeInterval ?? .infinity))
    }

    mutating func tryAgain() {
        guard !hasEnded, next == nil, let load, load.outcome != nil else { return }
        let limit = session?.core.settings.resourceLimit
        if let limit, let left = timeLeft(of: limit), left <= .zero {
            let error = TransportError.timedOut(.deadlineExceeded, after: limit, phase: .waiting)
            return finish(with: urlError(error))
        }
        next = load.plan.with(load.plan.body.forAnotherTime)
    }
}
