internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Replays an outcome from memory, with a response and body if there are any.
///
/// It starts on the calling thread, and continues on a background queue after its client has paused
/// it.
final class ReplayLoader: Loader {
    private let response: LoadedResponse?
    private let body: Data
    private let outcome: LoadOutcome
    private let client: any LoaderClient
    private let state = Mutex(ReplayState())

    /// - Parameters:
    ///   - response: `nil` if there is only an outcome.
    ///   - outcome: Reported at the end, unless the client cancels before.
    init(
        _ response: LoadedResponse? = nil,
        body: Data = Data(),
        outcome: LoadOutcome,
        client: any LoaderClient
    ) {
        self.response = response
        self.body = body
        self.outcome = outcome
        self.client = client
    }

    func start() {
        if state.withLock({ $0.start() }) { deliver() }
    }

    func cancel() {
        if state.withLock({ $0.cancel() }) { deliver() }
    }

    /// Delivers on a background queue: the caller may hold the client's lock.
    func allow(receiving: Bool, sending: Bool) {
        guard state.withLock({ $0.allow(receiving) }) else { return }
        SessionCore.work.async { [self] in deliver() }
    }

    /// Delivers as much as the client accepts. Only one thread at a time runs this.
    private func deliver() {
        while true {
            let size = response == nil ? nil : body.count
            let (step, turn) = state.withLock { ($0.next(size: size), $0.turn) }
            switch step {
            case .rest:
                return
            case .endTurn:
                client.loader(self, didReceive: .endOfTurn)
            case .response:
                guard let response else {
                    return assertionFailure("a response is due, but there is none")
                }
                let decision = client.loader(self, didReceive: response)
                state.withLock { $0.note(decision, turn: turn) }
            case .bytes(let range):
                let bytes = body.span.extracting(range)
                let decision = client.loader(self, didReceiveBody: bytes)
                state.withLock { $0.note(decision, turn: turn) }
            case .end(let isCancelled):
                var outcome = outcome
                if isCancelled { outcome.failure = .transport(.cancelled) }
                client.loader(self, didReceive: .end(outcome))
                client.loader(self, didReceive: .endOfLastTurn)
                return
            }
        }
    }
}
