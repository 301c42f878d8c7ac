import CurlResilience
import Posix

/// URLs that leave the run.
extension RunState {
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
