import Posix
import Synchronization

/// The deadlines of a run, on its own thread.
extension RunCore {
    /// Starts jobs when they are due, until the run's end.
    func keepTime() {
        var clock = RunClock(configuration.limits, from: started)
        while true {
            let (due, isFinished) = state.withLock { ($0.nextDeadline, $0.isFinished) }
            if isFinished { return }
            let deadline = due.map { due in clock.next.map { min($0, due) } ?? due }
            timer.wait(until: deadline ?? clock.next)
            switch clock.action(at: .now) {
            case .none: pump()
            case .stop: stopAtTimeLimit()
            case .cancel: stop(cancelling: true)
            }
        }
    }

    /// Stops starting attempts, because the run has lasted its maximum time.
    ///
    /// A run that is stopping already keeps its reason.
    private func stopAtTimeLimit() {
        let time = NumberFormat.duration(configuration.limits.maximumTime ?? .zero)
        let failure = BatchFailure(.timeReached, "the run reached its time limit of \(time)")
        state.withLock { state in
            guard !state.isStopping, !state.isFinished else { return }
            state.stopFailure = state.stopFailure ?? failure
        }
        stop(cancelling: false)
    }

    /// Sets when the run must start no more requests; see ``WorkReceiver/setDeadline(_:)``.
    func setWorkDeadline(_ deadline: BootTime) {
        workDeadline.store(deadline.nanoseconds, ordering: .relaxed)
    }

    /// Cancels the run if the deadline of its work has passed.
    func endWork() {
        let deadline = workDeadline.load(ordering: .relaxed)
        guard deadline != .max, BootTime.now.nanoseconds >= deadline else { return }
        let (isFirst, _) = workDeadline.compareExchange(
            expected: deadline,
            desired: .max,
            ordering: .relaxed
        )
        if isFirst { stop(cancelling: true) }
    }
}
