internal import CurlTransport
internal import Synchronization

/// A request's place among those in flight, until its response's body has ended.
///
/// It is added to the observers of the request. The place is released when the transfer of the
/// response ends. If what answers the request has no transfer, as a stub may, the place is released
/// when no one refers to the lease any more.
final class Lease: TransferObserver {
    private struct State {
        var isReleased = false
        /// The transfers that ended before the response was known.
        var ended: Set<TransferID> = []
        var expected: TransferID?
    }

    private let state = Mutex(State())
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit { release() }

    /// The request is answered: releases the place when this transfer ends.
    func hold(until transfer: TransferID) {
        let hasEnded = state.withLock { state in
            state.expected = transfer
            return state.ended.contains(transfer)
        }
        if hasEnded { release() }
    }

    /// Releases the place, once.
    func release() {
        let isFirst = state.withLock { state in
            defer { state.isReleased = true }
            return !state.isReleased
        }
        if isFirst { onRelease() }
    }

    func transferDidEnd(_ end: TransferEnd) {
        let isExpected = state.withLock { state in
            guard let expected = state.expected else {
                state.ended.insert(end.id)
                return false
            }
            return expected == end.id
        }
        if isExpected { release() }
    }
}
