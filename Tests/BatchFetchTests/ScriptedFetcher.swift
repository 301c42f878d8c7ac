import CurlResilience
import TestSupport

@testable import BatchFetch

/// A scripted transport: attempts end at once, or when a test ends them.
final class ScriptedFetcher: Fetcher {
    /// An attempt that has started and not ended.
    struct Pending: Sendable {
        let target: FetchTarget
        let keepsConnection: Bool
        let end: @Sendable (AttemptOutcome) -> Void
    }

    private struct State: Sendable {
        var pending: [Pending] = []
        var attempts: [String: Int] = [:]
        var most = 0
        var mostPerHost: [String: Int] = [:]
        var isCancelled = false
    }

    private let state = Watched(State())
    private let script: (@Sendable (FetchTarget, Int) -> AttemptOutcome?)

    /// The script's arguments are the target and the attempt's number, from 1; nil leaves the
    /// attempt pending.
    init(_ script: @escaping @Sendable (FetchTarget, Int) -> AttemptOutcome?) {
        self.script = script
    }

    var receivedBytes: Int64 { 0 }
    var pending: [Pending] { state.read { $0.pending } }
    var most: Int { state.read { $0.most } }
    func most(of host: String) -> Int { state.read { $0.mostPerHost[host] ?? 0 } }

    func start(
        _ target: FetchTarget,
        keepsConnection: Bool,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        let (attempt, isCancelled) = state.update { state in
            state.attempts[target.url, default: 0] += 1
            return (state.attempts[target.url] ?? 0, state.isCancelled)
        }
        if isCancelled { return completion(.failing(.cancelled, .permanent)) }
        if let outcome = script(target, attempt) { return completion(outcome) }
        state.update { state in
            state.pending.append(
                Pending(target: target, keepsConnection: keepsConnection, end: completion)
            )
            state.most = max(state.most, state.pending.count)
            let ofHost = state.pending.count { $0.target.hostKey == target.hostKey }
            state.mostPerHost[target.hostKey] = max(
                ofHost,
                state.mostPerHost[target.hostKey] ?? 0
            )
        }
    }

    /// Waits until at least `count` attempts are pending.
    func pending(_ count: Int) async throws {
        try await state.wait { $0.pending.count >= count ? () : nil }
    }

    /// Ends the attempt that has been pending longest; false if none is pending.
    @discardableResult
    func endOne(_ outcome: AttemptOutcome = .success) -> Bool {
        let first = state.update { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
        first?.end(outcome)
        return first != nil
    }

    func cancelAll() {
        let pending = state.update { state in
            state.isCancelled = true
            defer { state.pending = [] }
            return state.pending
        }
        for attempt in pending { attempt.end(.failing(.cancelled, .permanent)) }
    }
}

extension AttemptOutcome {
    static var success: AttemptOutcome { AttemptOutcome(status: 200) }

    static func failing(_ code: BatchFailure.Code, _ cause: RetryCause) -> AttemptOutcome {
        var outcome = AttemptOutcome()
        outcome.failure = (BatchFailure(code, "\(code)"), cause)
        return outcome
    }

    static func status(_ status: Int, retryAfter: String? = nil) -> AttemptOutcome {
        var outcome = AttemptOutcome(status: status, retryAfter: retryAfter)
        outcome.failure = (BatchFailure(.status, "the server answered \(status)"), .status(status))
        return outcome
    }
}
