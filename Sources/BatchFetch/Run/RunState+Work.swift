import CurlResilience
import Posix

/// Hosts that come to the run, and URLs that leave it.
extension RunState {
    /// Continues with a host after another process.
    ///
    /// - Parameter robots: The rules that the process has read. Those for another product token are
    ///   ignored.
    mutating func restore(
        _ handover: HostHandover?,
        robots: RobotsHandover?,
        host: String,
        at now: MonotonicTime
    ) {
        queues.restore(handover, host: host)
        guard let robots, robots.token == configuration.politeness.token else { return }
        self.robots.restore(robots, of: host, at: now)
    }

    /// Ends an attempt whose URL continues outside this run, which has no result of it.
    mutating func handedOver(
        _ job: FetchJob,
        feedback: HostFeedback,
        isReleased: Bool = false,
        at now: MonotonicTime
    ) {
        if isReleased {
            segments.close()
        } else {
            release(job, feedback: feedback, at: now)
        }
        heldBytes -= job.weight
    }

    /// Ends an attempt whose URL is retried outside this run, which has no result of it.
    mutating func handedOver(_ attempt: EndedAttempt, at now: MonotonicTime) {
        if attempt.isReleased {
            segments.close()
        } else {
            release(
                attempt.job,
                feedback: attempt.feedback,
                failure: attempt.result.failure,
                pause: attempt.pause,
                at: now
            )
        }
        heldBytes -= attempt.job.weight
    }
}
