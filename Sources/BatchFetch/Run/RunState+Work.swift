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
}
