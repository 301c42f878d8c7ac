extension BatchResult {
    /// What a job has come to with its last attempt.
    init(_ job: FetchJob, _ outcome: AttemptOutcome, queued: Duration) {
        self.init(url: job.target.url, line: job.line)
        finalURL = outcome.finalURL
        status = outcome.status
        failure = outcome.failure?.reason
        attempts = job.attempts
        bytes = outcome.bytes
        contentType = outcome.contentType
        httpVersion = outcome.httpVersion
        isConnectionReused = outcome.isConnectionReused
        timings = outcome.timings
        timings.queue = queued + (outcome.timings.queue ?? .zero)
        switch outcome.end {
        case .file(let path): self.path = path
        case .memory(let bytes): body = bytes
        case .dropped, .failed: break
        }
    }
}
