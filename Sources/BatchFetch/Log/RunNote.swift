internal import Logging

/// Something that happened in a run, for its log.
enum RunNote: Sendable {
    case attemptStarted(url: String, attempt: Int)
    case done(BatchResult)
    case retry(url: String, attempt: Int, delay: Duration, reason: BatchFailure?)
    /// So many bytes of the body are there.
    case goingOn(url: String, bytes: Int64)
    /// The body is fetched in so many pieces at once.
    case splitting(url: String, pieces: Int)
    case hostHeld(host: String, delay: Duration)
    case breaker(host: String, BreakerChange, delay: Duration, reason: BatchFailure?)
    case robotsRead(host: String, crawlDelay: Duration)
    case robotsUnavailable(host: String, reason: String)
    /// What waits for its host goes to a file in that folder.
    case readingAhead(folder: String)
    case listEnded(BatchFailure?)
    case started(BatchConfiguration, doneBefore: Bool)
    case stopping(isCancelling: Bool)
    case ended(BatchProgress)
}

/// What a host's circuit breaker did.
enum BreakerChange: Sendable, Hashable {
    /// The host is left alone for a while.
    case opened
    /// What waited for the host was given up.
    case gaveUp
    /// The host has answered.
    case closed
}

extension RunNote {
    /// How much it matters.
    var level: Logger.Level {
        switch self {
        case .attemptStarted: .trace
        case .done(let result): result.isFetched ? .trace : .debug
        case .retry, .goingOn, .splitting, .robotsRead: .debug
        case .hostHeld, .robotsUnavailable, .readingAhead: .info
        case .breaker(_, .closed, _, _): .info
        case .breaker: .warning
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
        case .goingOn: "going on with a part of the body"
        case .splitting: "fetching the body in pieces"
        case .hostHeld: "host held"
        case .breaker(_, .opened, _, _): "breaker opened"
        case .breaker(_, .gaveUp, _, _): "breaker gave the host up"
        case .breaker(_, .closed, _, _): "breaker closed"
        case .robotsRead: "robots.txt read"
        case .robotsUnavailable: "robots.txt unavailable"
        case .readingAhead: "few hosts fill the look-ahead, reading on to the disk"
        case .listEnded(let failure): failure == nil ? "list read" : "list broken off"
        case .started: "run started"
        case .stopping: "run stopping"
        case .ended: "run ended"
        }
    }

    /// URLs are without what may be secret.
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
        case .goingOn(let url, let bytes):
            ["url": "\(URLText.forLog(url))", "bytes": "\(bytes)"]
        case .splitting(let url, let pieces):
            ["url": "\(URLText.forLog(url))", "pieces": "\(pieces)"]
        case .hostHeld(let host, let delay):
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
        case .readingAhead(let folder):
            ["folder": "\(folder)"]
        case .listEnded(let failure):
            failure.map { ["reason": "\($0.message)"] } ?? [:]
        case .started(let configuration, let doneBefore):
            [
                "concurrency": "\(configuration.concurrency)",
                "per_host": "\(configuration.concurrencyPerHost)",
                "retries": "\(configuration.retry.limit)", "resumes": "\(doneBefore)",
            ]
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
        // What was never tried may be no URL.
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
