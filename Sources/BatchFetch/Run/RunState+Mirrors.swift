internal import Logging
import Posix

/// What follows a URL's failure: a mirror, or the end of its job.
extension RunState {
    /// Ends a job, unless its line has another URL to fetch.
    ///
    /// If the run is ending, the other URL is left for a resumed run.
    mutating func conclude(_ job: FetchJob, _ result: BatchResult, at now: MonotonicTime) {
        guard var next = job.usingNextMirror(after: result) else {
            return finish(job, job.summarising(result))
        }
        guard phase == .running else { return finish(job, job.interrupted) }
        next.waitingSince = now
        notes.add(.debug) {
            .usingMirror(url: job.target.url, mirror: next.source.url, reason: result.failure)
        }
        enqueue(next, isFirst: true, at: now)
    }
}
