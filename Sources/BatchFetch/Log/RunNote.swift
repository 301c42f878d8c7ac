internal import Logging

/// An event of a run, for its log.
enum RunNote: Sendable {
    case attemptStarted(url: String, attempt: Int)
    case done(BatchResult)
    case retry(url: String, attempt: Int, delay: Duration, reason: BatchFailure?)
    /// The job continues with a mirror, because another URL of its line has failed.
    case usingMirror(url: String, mirror: String, reason: BatchFailure?)
    /// The attempt resumes a body of which `bytes` bytes are stored.
    case resumingPartial(url: String, bytes: Int64)
    /// The body is fetched in this many concurrent segments.
    case splitting(url: String, pieces: Int)
    case hostPaused(host: String, delay: Duration)
    case breaker(host: String, BreakerChange, delay: Duration, reason: BatchFailure?)
    case robotsRead(host: String, crawlDelay: Duration)
    case robotsUnavailable(host: String, reason: String)
    /// The run spills queued jobs to a file in this folder.
    case spillingQueue(folder: String)
    /// The run continues without such a file, for this reason.
    case notSpilling(BatchFailure)
    /// The list has an option or URLs that aren't used.
    case ignored(String)
    case listEnded(BatchFailure?)
    case started(BatchConfiguration, isResuming: Bool)
    /// The certificates of servers aren't verified.
    case insecure
    case stopping(isCancelling: Bool)
    case ended(BatchProgress)
}

extension RunNote {
    /// The log level.
    var level: Logger.Level {
        switch self {
        case .attemptStarted: .trace
        case .done(let result): result.isFetched ? .trace : .debug
        case .retry, .usingMirror, .resumingPartial, .splitting, .robotsRead: .debug
        case .hostPaused, .robotsUnavailable, .spillingQueue: .info
        case .breaker(_, .closed, _, _): .info
        case .breaker, .notSpilling, .ignored, .insecure: .warning
        case .listEnded(let failure): failure == nil ? .debug : .error
        case .started, .stopping, .ended: .notice
        }
    }

    var message: Logger.Message {
        switch self {
        case .attemptStarted: "attempt started"
        case .done(let result):
            result.isUnchanged ? "unchanged" : result.isFetched ? "fetched" : "failed"
        case .retry: "retry"
        case .usingMirror: "using a mirror"
        case .resumingPartial: "resuming partial download"
        case .splitting: "fetching in segments"
        case .hostPaused: "host paused"
        case .breaker(_, .opened, _, _): "breaker opened"
        case .breaker(_, .gaveUp, _, _): "breaker gave up on host"
        case .breaker(_, .closed, _, _): "breaker closed"
        case .robotsRead: "robots.txt read"
        case .robotsUnavailable: "robots.txt unavailable"
        case .spillingQueue: "few hosts fill the queue, spilling it to disk"
        case .notSpilling: "few hosts fill the queue, and it can't be spilled to disk"
        case .ignored: "part of the list ignored"
        case .listEnded(let failure): failure == nil ? "list read" : "list ended early"
        case .started: "run started"
        case .insecure: "certificates of servers are not verified"
        case .stopping: "run stopping"
        case .ended: "run ended"
        }
    }

    /// The metadata, with URLs that contain no secrets.
    var metadata: Logger.Metadata {
        switch self {
        case .attemptStarted(let url, let attempt):
            ["url": "\(URLText.forLog(url))", "attempt": "\(attempt)"]
        case .done(let result):
            Self.metadata(of: result)
        case .retry(let url, let attempt, let delay, let reason):
            [
                "url": "\(URLText.forLog(url))", "attempt": "\(attempt)",
                "seconds": Self.seconds(delay), "code": "\(reason?.code.name ?? "none")",
                "reason": "\(reason?.message ?? "")",
            ]
        case .usingMirror(let url, let mirror, let reason):
            [
                "url": "\(URLText.forLog(url))", "mirror": "\(URLText.forLog(mirror))",
                "code": "\(reason?.code.name ?? "none")", "reason": "\(reason?.message ?? "")",
            ]
        case .resumingPartial(let url, let bytes):
            ["url": "\(URLText.forLog(url))", "bytes": "\(bytes)"]
        case .splitting(let url, let pieces):
            ["url": "\(URLText.forLog(url))", "pieces": "\(pieces)"]
        case .hostPaused(let host, let delay):
            ["host": "\(host)", "seconds": Self.seconds(delay)]
        case .breaker(let host, .closed, _, _):
            ["host": "\(host)"]
        case .breaker(let host, _, let delay, let reason):
            [
                "host": "\(host)", "seconds": Self.seconds(delay),
                "reason": "\(reason?.message ?? "")",
            ]
        case .robotsRead(let host, let crawlDelay):
            ["host": "\(host)", "crawl_delay": Self.seconds(crawlDelay)]
        case .robotsUnavailable(let host, let reason):
            ["host": "\(host)", "reason": "\(reason)"]
        case .spillingQueue(let folder):
            ["folder": "\(folder)"]
        case .notSpilling(let failure):
            ["reason": "\(failure.message)"]
        case .ignored(let name):
            ["name": "\(name)"]
        case .listEnded(let failure):
            failure.map { ["reason": "\($0.message)"] } ?? [:]
        case .started(let configuration, let isResuming):
            [
                "concurrency": "\(configuration.concurrency)",
                "per_host": "\(configuration.concurrencyPerHost)",
                "retries": "\(configuration.retry.limit)", "resumes": "\(isResuming)",
            ]
        case .insecure:
            [:]
        case .stopping(let isCancelling):
            ["cancels": "\(isCancelling)"]
        case .ended(let progress):
            [
                "fetched": "\(progress.fetched)", "failed": "\(progress.failed)",
                "unchanged": "\(progress.unchanged)", "skipped": "\(progress.skipped)",
                "retries": "\(progress.retries)",
                "bytes": "\(progress.bytes)", "seconds": Self.seconds(progress.elapsed),
            ]
        }
    }

    private static func metadata(of result: BatchResult) -> Logger.Metadata {
        // Without an attempt, the text may not be a URL.
        let url =
            result.attempts > 0 ? URLText.forLog(result.url) : URLText.ofMalformed(result.url)
        var metadata: Logger.Metadata = [
            "url": "\(url)", "line": "\(result.line)", "attempts": "\(result.attempts)",
        ]
        if let status = result.status { metadata["status"] = "\(status)" }
        if let total = result.timings.total { metadata["seconds"] = seconds(total) }
        if let failure = result.failure {
            metadata["code"] = "\(failure.code.name)"
            metadata["reason"] = "\(failure.message)"
        }
        return metadata
    }

    private static func seconds(_ duration: Duration) -> Logger.MetadataValue {
        "\(NumberFormat.plain(duration / .seconds(1), digits: 3))"
    }
}
