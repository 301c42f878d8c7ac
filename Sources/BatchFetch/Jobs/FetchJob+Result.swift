extension FetchJob {
    /// Creates the result of the job from its last attempt.
    ///
    /// - Parameter earlier: The earlier response that the server has confirmed.
    func result(
        of outcome: AttemptOutcome,
        queued: Duration,
        unchangedSince earlier: EarlierResponse? = nil
    ) -> BatchResult {
        var result = BatchResult(url: target.url, line: line, ordinal: ordinal)
        result.tag = target.details?.request.tag
        result.finalURL = outcome.finalURL
        result.status = outcome.status
        result.failure = outcome.failure?.reason
        result.attempts = attempts
        result.bytes = outcome.bytes
        result.transferredBytes = outcome.transferredBytes
        result.digests = outcome.digests
        result.contentType = outcome.contentType
        result.etag = outcome.etag
        result.lastModified = outcome.lastModified
        result.peer = outcome.peer
        result.startedAt = redirects?.startedAt ?? outcome.startedAt
        result.httpVersion = outcome.httpVersion
        result.isConnectionReused = outcome.isConnectionReused
        result.timings = timings(of: outcome, queued: queued)
        result.place.take(outcome.end)
        if let earlier { result.inherit(earlier) }
        return result
    }

    /// The timings including the requests before a redirect.
    private func timings(of outcome: AttemptOutcome, queued: Duration) -> BatchTimings {
        var timings = outcome.timings
        timings.queue = queued + (timings.queue ?? .zero)
        guard let redirects else { return timings }
        timings.queue = timings.queue.map { $0 + redirects.queued }
        timings.firstByte = timings.firstByte.map { $0 + redirects.spent }
        timings.total = timings.total.map { $0 + redirects.spent }
        return timings
    }
}

extension BodyPlace {
    /// Records where the body is stored.
    fileprivate mutating func take(_ end: BodyEnd) {
        switch end {
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
