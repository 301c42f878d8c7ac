package import Posix
import Synchronization

/// Where the URLs of a run come from, and who decides about their hosts.
///
/// The run obeys the limits of hosts itself. A local list (``ListSource``) has all hosts for
/// itself. A fleet has only those that it holds, and continues redirects to others elsewhere.
package protocol WorkSource: Sendable {
    /// Passes URLs to the run until there are none any more, or until the run is ending. Blocks.
    ///
    /// Called once, on the run's reading thread. The last call to `run` is
    /// ``WorkReceiver/end(_:)``.
    func feed(_ run: WorkReceiver)

    /// Whether the run may send requests to the host to which a redirect leads.
    ///
    /// Called on an event loop or a disk thread.
    func holds(host: String) -> Bool

    /// Takes a URL that continues at a host that the run may not use: after a redirect, or because
    /// an attempt that followed one is retried from the first URL.
    ///
    /// The run has no result of it. Called on an event loop or a disk thread.
    ///
    /// - Parameter delay: The time until the retry; zero after a redirect.
    func take(_ work: WorkItem, after delay: Duration)

    /// Notes that a host has requested a pause, which the run obeys itself.
    ///
    /// For the next owner of the host. Called on an event loop or a disk thread, also while the run
    /// is ending. Does nothing by default.
    func paused(host: String, for pause: Duration)

    /// Notes that the run has read the `robots.txt` of a host, which it obeys itself.
    ///
    /// For the next owner of the host. Called on an event loop or a disk thread, also while the run
    /// is ending. Does nothing by default.
    func robotsRead(_ robots: RobotsHandover, of host: String)
}

extension WorkSource {
    package func paused(host: String, for pause: Duration) {}

    package func robotsRead(_ robots: RobotsHandover, of host: String) {}
}

/// The side of a run that its source uses. All methods may be called on any thread.
package struct WorkReceiver: Sendable {
    let core: RunCore

    init(_ core: RunCore) {
        self.core = core
    }

    /// Queues URLs. Returns whether the run has room for more; it takes them in any case.
    package func add(_ work: [WorkItem]) -> Bool {
        core.offer(work.map { .job($0.job) })
    }

    /// Whether the run starts no more requests.
    package var isStopping: Bool { core.isStopping }

    /// Blocks the reading thread until the run is ending, or ``wake()`` was called.
    ///
    /// - Returns: False if the run is ending.
    package func wait() -> Bool {
        guard !core.isStopping else { return false }
        core.reader.wait(until: nil)
        return !core.isStopping
    }

    /// The time until the next request to a host may start; `nil` if it may start now.
    ///
    /// Longer than its minimum interval if the host has requested a pause, or has failed often.
    package func pause(of host: String) -> Duration? {
        guard let next = core.state.withLock({ $0.nextStart(of: host) }) else { return nil }
        let left = next.nanoseconds(since: .now)
        return left > 0 ? .nanoseconds(left) : nil
    }

    /// When the requests to the hosts may start that had to wait when the run was stopped.
    package var pausesAtStop: [String: MonotonicTime] { core.state.withLock { $0.pausesAtStop } }

    /// The minimum time between two requests to a host. A crawl delay counts once it is known.
    package func minimumInterval(of host: String) -> Duration {
        core.state.withLock { $0.queues.minimumInterval(of: host) }
    }

    /// What the next process with a host must know about its answers, as text; `nil` for nothing.
    ///
    /// It has the adaptive limit and the state of the circuit breaker. ``pause(of:)`` and
    /// ``WorkSource/robotsRead(_:of:)`` are separate.
    package func handover(of host: String) -> String? {
        core.state.withLock { $0.queues.handover(of: host) }?.text
    }

    /// Continues with a host after another process.
    ///
    /// Call it before its URLs are added. Pauses of the host must have ended.
    ///
    /// - Parameters:
    ///   - text: From ``handover(of:)``; `nil` or a damaged text for a host without state.
    ///   - robots: From ``WorkSource/robotsRead(_:of:)``; `nil` if no process has read the file.
    package func restore(_ text: String?, robots: RobotsHandover? = nil, host: String) {
        let handover = text.flatMap { HostHandover(text: $0) }
        let now = MonotonicTime.now
        core.state.withLock { $0.restore(handover, robots: robots, host: host, at: now) }
    }

    /// Sets when the right to send requests to the hosts ends.
    ///
    /// Afterwards the run starts no request, however late the process gets the processor again, and
    /// aborts those in flight as soon as one of them ends or would start. A later call replaces the
    /// deadline, unless it has passed.
    package func setDeadline(_ deadline: BootTime) { core.setWorkDeadline(deadline) }

    /// Ends the wait of the reading thread, or its next one.
    package func wake() { core.reader.signal() }

    /// Ends the work: the run ends with the last result.
    ///
    /// - Parameter failure: Why URLs are missing; `nil` if none are.
    package func end(_ failure: BatchFailure?) { core.endInput(failure) }
}

/// The lists of a batch, which have all hosts for themselves.
final class ListSource: WorkSource {
    /// The lists; `nil` once they are being read.
    private let input: Mutex<InputReader?>

    init(_ input: InputReader) {
        self.input = Mutex<InputReader?>(input)
    }

    func feed(_ run: WorkReceiver) {
        // Released at the end of this method, which closes the list: the run may be kept for long.
        guard let input = input.withLock({ $0.take() }) else { return run.end(nil) }
        var feed = EntryFeed(run.core, input.options)
        var failure = input.read(into: &feed)
        if feed.failure == nil { failure = feed.finish() ?? failure }
        run.end(feed.failure ?? failure)
        guard feed.failure != nil else { return }
        run.core.stop(cancelling: false)
        _ = feed.finish()
    }

    func holds(host: String) -> Bool { true }

    func take(_ work: WorkItem, after delay: Duration) {}
}

extension Batch {
    /// Starts fetching the URLs of a source, as ``start(_:journal:skipping:)`` does with a list.
    ///
    /// - Throws: ``BatchFailure`` with the code `configuration`, `output` or `resources`, before
    ///   anything is fetched.
    package func start(work source: any WorkSource) throws(BatchFailure) -> BatchRun {
        try configuration.validate()
        return try start(work: source, fetcher: try TransportFetcher(configuration))
    }

    /// Starts as ``start(work:)`` does, with attempts made by `fetcher`.
    func start(
        work source: any WorkSource,
        fetcher: any Fetcher
    ) throws(BatchFailure) -> BatchRun {
        let sinks = try sinks(journal: nil, skipping: nil)
        if let problem = sinks.openStore() { configuration.onWarning?(problem) }
        return try BatchRun(
            configuration,
            source,
            done: CompletedURLs(),
            fetcher: fetcher,
            sinks: sinks
        )
    }
}
