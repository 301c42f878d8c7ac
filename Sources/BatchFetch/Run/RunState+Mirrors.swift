internal import Logging
import Posix

/// What follows a URL's failure: a mirror, or the end of its job.
extension RunState {
    /// Ends a job, unless its line has another URL to fetch.
    mutating func conclude(_ job: FetchJob, _ result: BatchResult, at now: MonotonicTime) {
        guard phase == .running, var next = job.usingNextMirror(after: result) else {
            return finish(job, job.summarising(result))
        }
        next.waitingSince = now
        notes.add(.debug) {
            .usingMirror(url: job.target.url, mirror: next.source.url, reason: result.failure)
        }
        enqueue(next, isFirst: true, at: now)
    }
}
