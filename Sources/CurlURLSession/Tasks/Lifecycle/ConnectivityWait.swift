internal import CurlTransport
internal import Foundation
internal import Synchronization

/// How a task waits for connectivity: it retries with growing delays.
struct ConnectivityWait: Sendable {
    /// The error to check for missing connectivity.
    private var error: TransportError?
    private var attempts = 0

    /// The longest delay between two attempts, in seconds.
    private static let longestDelay: TimeInterval = 30

    mutating func note(_ error: TransportError) {
        self.error = error
    }

    mutating func takeError() -> TransportError? {
        error.take()
    }

    /// Whether the task has waited before.
    var hasBegun: Bool { attempts > 0 }

    /// Returns the seconds until the next attempt.
    ///
    /// The delay is 0.5 s, doubled for each attempt, at most 30 s.
    mutating func nextDelay() -> TimeInterval {
        defer { attempts += 1 }
        return attempts < 6 ? 0.5 * Double(1 << attempts) : Self.longestDelay
    }

    /// Whether missing connectivity may be the cause of an error.
    ///
    /// It may be if there is no route, or no name server.
    static func isConceivable(for error: TransportError) -> Bool {
        [.networkUnreachable, .hostNotFound, .proxyNotFound].contains(error.code)
    }

    /// Whether missing connectivity is the cause. Reads the kernel's tables if the error alone is
    /// ambiguous: an unknown name can't be resolved with connectivity either.
    static func isTheCause(of error: TransportError) -> Bool {
        error.code == .networkUnreachable || !NetworkRoutes.current.leadAnywhere
    }
}

// Tasks of sessions that wait for connectivity.

extension TaskCore {
    /// Retries after a delay if connectivity is missing. Reads files, so it must not run on a
    /// loop's thread.
    func waitForConnectivity(after error: TransportError) {
        guard ConnectivityWait.isTheCause(of: error) else {
            state.withLock { state in state.finish(with: state.exchange.urlError(error)) }
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
    /// Whether the task may wait instead of failing, judging by the error alone.
    mutating func mayWait(after failure: LoadOutcome.Failure) -> Bool {
        guard case .transport(let error) = failure, let load = exchange.load, load.response == nil,
            !load.loadRequest.body.isUsedUp,
            session?.core.settings.waitsForConnectivity ?? false,
            ConnectivityWait.isConceivable(for: error)
        else { return false }
        exchange.connectivity.note(error)
        exchange.load?.phase = .held
        return true
    }

    /// Returns the seconds to wait, at most the task's remaining time. `nil` if the task has ended.
    mutating func noteWaiting() -> TimeInterval? {
        guard !hasEnded else { return nil }
        if !exchange.connectivity.hasBegun, delegates.task != nil { delivery.note(.waiting) }
        let left = clock.timeLeft(of: session?.core.settings.resourceLimit)
        return min(exchange.connectivity.nextDelay(), max(0, left?.timeInterval ?? .infinity))
    }

    mutating func tryAgain() {
        guard !hasEnded, exchange.next == nil, let load = exchange.load, load.outcome != nil else {
            return
        }
        let limit = session?.core.settings.resourceLimit
        if let limit, let left = clock.timeLeft(of: limit), left <= .zero {
            let error = TransportError.timedOut(.deadlineExceeded, after: limit, phase: .waiting)
            return finish(with: exchange.urlError(error))
        }
        exchange.next = load.loadRequest.with(load.loadRequest.body.forAnotherTime)
    }
}
