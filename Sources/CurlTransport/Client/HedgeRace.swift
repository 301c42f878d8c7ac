internal import HTTPTypes
internal import Synchronization

/// A request that middleware may send a second time, to use the faster response.
///
/// The middleware records what happens. The ends of both transfers have it, so that observers can
/// tell the second request and the slower one from retries and failures.
package final class HedgeRace: Sendable {
    private struct State {
        var isHedged = false
        /// Whether the second request's response is used; nil while none is.
        var isWonBySecond: Bool?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the second request was sent.
    package var isHedged: Bool { state.withLock { $0.isHedged } }

    /// Records that the second request is sent.
    package func sendSecond() {
        state.withLock { $0.isHedged = true }
    }

    /// Records which response is used, before the other request is cancelled.
    package func end(wonBySecond: Bool) {
        state.withLock { $0.isWonBySecond = wonBySecond }
    }

    fileprivate func isLost(bySecond isSecond: Bool) -> Bool {
        state.withLock { $0.isWonBySecond.map { $0 != isSecond } ?? false }
    }
}

/// One of the two requests of a race.
package struct HedgedRequest: Sendable, Equatable {
    package let race: HedgeRace
    package let isSecond: Bool

    package init(_ race: HedgeRace, isSecond: Bool) {
        self.race = race
        self.isSecond = isSecond
    }

    package static func == (lhs: HedgedRequest, rhs: HedgedRequest) -> Bool {
        lhs.race === rhs.race && lhs.isSecond == rhs.isSecond
    }

    /// Whether the request failed because the other one's response is used.
    package func hasLost(with error: TransportError?) -> Bool {
        error?.code == .cancelled && race.isLost(bySecond: isSecond)
    }
}

extension RequestContext {
    /// The observers to notify: they can tell a hedged request from others.
    package var notifiedObservers: [any TransferObserver] {
        guard let hedge, !observers.isEmpty else { return observers }
        return [HedgeObserver(hedge: hedge, observers: observers)]
    }
}

/// Marks the end of a hedged request's transfer.
private struct HedgeObserver: TransferObserver {
    let hedge: HedgedRequest
    let observers: [any TransferObserver]

    func transfer(
        _ id: TransferID,
        willFollow redirect: Redirect,
        with request: inout HTTPRequest
    ) {
        for observer in observers { observer.transfer(id, willFollow: redirect, with: &request) }
    }

    func transferDidEnd(_ end: TransferEnd) {
        var end = end
        end.hedge = hedge
        end.lostHedge = hedge.hasLost(with: end.error)
        for observer in observers { observer.transferDidEnd(end) }
    }
}
