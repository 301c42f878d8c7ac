extension BatchResult {
    /// What a job has come to with its last attempt.
    init(_ job: FetchJob, _ outcome: AttemptOutcome, queued: Duration) {
        self.init(url: job.target.url, line: job.line, ordinal: job.ordinal)
        tag = job.target.details?.request.tag
        finalURL = outcome.finalURL
        status = outcome.status
        failure = outcome.failure?.reason
        attempts = job.attempts
        bytes = outcome.bytes
        transferredBytes = outcome.transferredBytes
        digests = outcome.digests
        contentType = outcome.contentType
        etag = outcome.etag
        lastModified = outcome.lastModified
        peer = outcome.peer
        startedAt = job.hop?.startedAt ?? outcome.startedAt
        httpVersion = outcome.httpVersion
        isConnectionReused = outcome.isConnectionReused
        timings = outcome.timings
        timings.queue = queued + (outcome.timings.queue ?? .zero) + (job.hop?.queued ?? .zero)
        if let spent = job.hop?.spent {
            timings.firstByte = timings.firstByte.map { $0 + spent }
            timings.total = timings.total.map { $0 + spent }
        }
        switch outcome.end {
        case .file(let path): self.path = path
        case .existing(let path):
            self.path = path
            isExisting = true
        case .shard(let name, let offset):
            shard = name
            shardOffset = offset
        case .memory(let bytes): body = bytes
        case .dropped, .partial, .segment, .mismatched, .failed: break
        }
    }
}
