internal import BatchFetch
internal import Posix
internal import Synchronization

/// The rules of a host's `robots.txt` that a run has read.
struct ReadRobots: Sendable {
    /// As ``RobotsHandover/text``.
    let text: String
    let crawlDelay: Duration
    /// When the rules are too old.
    let end: MonotonicTime
}

/// Connects a run to the worker: work goes in, redirects to other hosts come out.
final class FleetSource: WorkSource {
    private struct State {
        var queued: [WorkItem] = []
        /// Hosts that were leased, with what their last owners have learnt.
        var leased: [LeasedHost] = []
        var isEnded = false
        /// When hosts that have requested a pause get requests again.
        var pauses: [String: MonotonicTime] = [:]
        var robots: [String: ReadRobots] = [:]
        var receiver: WorkReceiver?
        /// When the first lease ends.
        var deadline = BootTime.distantFuture
    }

    private let state = Mutex(State())
    private let inbox: WorkInbox

    init(_ inbox: WorkInbox) {
        self.inbox = inbox
    }

    // MARK: The worker

    /// Passes work to the run.
    func add(_ work: [WorkItem]) {
        guard !work.isEmpty else { return }
        let receiver = state.withLock { state in
            state.queued += work
            return state.receiver
        }
        receiver?.wake()
    }

    /// Passes on what the last owners of hosts have learnt. Their URLs must come later.
    func restore(_ hosts: [LeasedHost]) {
        state.withLock { $0.leased += hosts }
    }

    /// The minimum time between two requests to a host. A crawl delay counts once it is known.
    func minimumInterval(of host: String) -> Duration {
        state.withLock { $0.receiver }?.minimumInterval(of: host) ?? .zero
    }

    /// What the next owner of a host must know; `nil` for nothing.
    func handover(of host: String) -> String? {
        state.withLock { $0.receiver }?.handover(of: host)
    }

    /// Sets when the first lease ends, after which the run starts no requests.
    func setDeadline(_ deadline: BootTime) {
        let receiver = state.withLock { state in
            state.deadline = deadline
            return state.receiver
        }
        receiver?.setDeadline(deadline)
    }

    /// Ends the work: the run ends with the last result.
    func end() {
        let receiver = state.withLock { state in
            state.isEnded = true
            return state.receiver
        }
        receiver?.wake()
    }

    /// The time for which the run sends no request to a host; `nil` if it may send one now.
    func pause(of host: String) -> Duration? {
        state.withLock { $0.receiver }?.pause(of: host)
    }

    /// Notes the pauses of all hosts of a stopped run for ``takePauses()``.
    func keepPauses() {
        guard let receiver = state.withLock({ $0.receiver }) else { return }
        let pauses = receiver.pausesAtStop
        state.withLock { $0.pauses.merge(pauses) { max($0, $1) } }
    }

    /// The pauses that hosts have requested since the last call, by their ends.
    func takePauses() -> [String: MonotonicTime] {
        state.withLock { state in
            defer { state.pauses = [:] }
            return state.pauses
        }
    }

    /// The files that the run has read since the last call, by their hosts.
    func takeRobots() -> [String: ReadRobots] {
        state.withLock { state in
            defer { state.robots = [:] }
            return state.robots
        }
    }

    /// Releases the run, which keeps this source.
    func release() { state.withLock { $0.receiver = nil } }

    // MARK: The run

    func feed(_ run: WorkReceiver) {
        state.withLock { state in
            state.receiver = run
            run.setDeadline(state.deadline)
        }
        while true {
            let (leased, work, isEnded) = state.withLock { state in
                defer { (state.leased, state.queued) = ([], []) }
                return (state.leased, state.queued, state.isEnded)
            }
            for host in leased { run.restore(host.feedback, robots: host.robots, host: host.name) }
            if !work.isEmpty { _ = run.add(work) }
            if isEnded || !run.wait() { break }
        }
        run.end(nil)
    }

    /// False for each host: the redirect continues in that host's queue.
    ///
    /// Even if this worker has leased it now, it may give it back before the request starts.
    func holds(host: String) -> Bool { false }

    func take(_ work: WorkItem, after delay: Duration) { inbox.add(moved: work, after: delay) }

    func paused(host: String, for pause: Duration) {
        let end = MonotonicTime.now.advanced(by: pause)
        state.withLock { state in
            state.pauses[host] = max(end, state.pauses[host] ?? end)
        }
    }
    func robotsRead(_ robots: RobotsHandover, of host: String) {
        // The next owner fetches a file with too many rules itself.
        guard let text = robots.text else { return }
        let end = MonotonicTime.now.advanced(by: robots.lifetime)
        let read = ReadRobots(text: text, crawlDelay: robots.crawlDelay ?? .zero, end: end)
        state.withLock { $0.robots[host] = read }
    }
}
