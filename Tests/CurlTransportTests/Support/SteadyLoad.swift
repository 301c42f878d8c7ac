internal import HTTPTypes
internal import Synchronization
internal import TestSupport

@testable internal import CurlTransport

/// Keeps a number of transfers to one URL in flight: when one ends, the next one starts.
///
/// It counts the transfers of each loop, and their results.
final class SteadyLoad: Sendable {
    struct Counts: Sendable {
        /// The completed transfers by the number of their loop; -1 for those that never started.
        var byLoop: [Int: Int] = [:]
        var started = 0
        var completed = 0
        var failures: [TransportError.Code] = []
        /// Completions of transfers that had completed before.
        var repeated = 0
    }

    private struct State {
        var left: Int
        var handles: [TransferID: TransferHandle] = [:]
    }

    private let transport: Transport
    private let request: TransferRequest
    private let counts = Watched(Counts())
    private let state: Mutex<State>

    /// - Parameter total: The maximum number of transfers in all.
    init(
        _ transport: Transport,
        _ url: String,
        total: Int = .max,
        options: TransferOptions = .patient
    ) throws {
        self.transport = transport
        request = TransferRequest(
            try HTTPRequest(url: url),
            options: try PreparedOptions(options)
        )
        state = Mutex(State(left: total))
    }

    var current: Counts { counts.read { $0 } }

    /// Starts `count` transfers, each of which is followed by another one.
    func start(_ count: Int) {
        for _ in 0..<count { startNext() }
    }

    /// Starts no further transfers, and waits until all have completed.
    func finish() async throws -> Counts {
        state.withLock { $0.left = 0 }
        return try await counts.wait { $0.completed >= $0.started ? $0 : nil }
    }

    func cancelAll() {
        let handles = state.withLock { Array($0.handles.values) }
        for handle in handles { handle.cancel() }
    }

    /// Waits until `count` transfers have completed.
    @discardableResult
    func completions(_ count: Int) async throws -> Counts {
        try await counts.wait { $0.completed >= count ? $0 : nil }
    }

    /// Waits until `count` more transfers have completed on each of the loops.
    @discardableResult
    func completions(_ count: Int, onEachOf loops: some Sequence<Int> & Sendable) async throws
        -> Counts
    {
        let before = current.byLoop
        return try await counts.wait { counts in
            let isReached = loops.allSatisfy { loop in
                counts.byLoop[loop, default: 0] >= before[loop, default: 0] + count
            }
            return isReached ? counts : nil
        }
    }

    private func startNext() {
        let mayStart = state.withLock { state in
            guard state.left > 0 else { return false }
            state.left -= 1
            // Under the lock, so that `finish()` doesn't miss it.
            counts.update { $0.started += 1 }
            return true
        }
        guard mayStart else { return }
        let place = Place(self)
        let handle = transport.start(request, delegate: place)
        // It may have completed already.
        state.withLock { state in
            if !place.isComplete { state.handles[handle.id] = handle }
        }
    }

    private func completed(_ transfer: TransferHandle, _ error: TransportError?, isFirst: Bool) {
        state.withLock { $0.handles[transfer.id] = nil }
        // A transport that has ended fails each transfer at once.
        if error == nil { startNext() }
        counts.update { counts in
            counts.byLoop[transfer.loop?.index ?? -1, default: 0] += 1
            if let error { counts.failures.append(error.code) }
            if isFirst { counts.completed += 1 } else { counts.repeated += 1 }
        }
    }

    /// The delegate of one transfer.
    private final class Place: TransferDelegate {
        private let load: SteadyLoad
        private let completions = Mutex(0)

        init(_ load: SteadyLoad) {
            self.load = load
        }

        var isComplete: Bool { completions.withLock { $0 > 0 } }

        func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead)
            -> DeliveryDecision
        {
            .proceed
        }

        func transfer(
            _ transfer: TransferHandle,
            didReceiveBody bytes: Span<UInt8>
        ) -> DeliveryDecision {
            .proceed
        }

        func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
            let isFirst = completions.withLock { completions in
                completions += 1
                return completions == 1
            }
            load.completed(transfer, error, isFirst: isFirst)
        }
    }
}

extension SteadyLoad {
    /// Reports that the home loop of a URL is overloaded, until its origin uses `count` loops.
    ///
    /// At the end of a turn, the loop may have few transfers: those that follow the turn's completed
    /// ones start in the next turn.
    func spread(
        _ url: String,
        on transport: Transport,
        over count: Int = 2,
        loops: Int = 2
    ) async throws {
        let key = LoopKey(try HTTPRequest(url: url))
        let window = LoadWindow(percent: 100, elapsed: Overload.patience + Overload.settling)
        while true {
            await transport.report(window, ofLoop: key.home(of: loops))
            let shares = transport.spread?.origin(for: key, route: "")?.current
            if (0..<loops).count(where: { shares?.isOpen($0) == true }) >= count { return }
            try await completions(current.completed + 100)
        }
    }
}
