internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Tells what is known already: a response with its content from memory, or that there is none.
///
/// It begins on the thread that starts it, and goes on elsewhere where its client made it wait.
final class ReplayLoader: Loader {
    private let response: LoadedResponse?
    private let body: Data
    private let outcome: LoadOutcome
    private let client: any LoaderClient
    private let state = Mutex(ReplayState())

    /// - Parameters:
    ///   - response: `nil` where there is nothing but an outcome.
    ///   - outcome: What is told at the end, unless the client ends it before.
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
        if state.withLock({ $0.start() }) { tell() }
    }

    func cancel() {
        if state.withLock({ $0.cancel() }) { tell() }
    }

    /// The client's lock may be held here, so it is told elsewhere.
    func allow(receiving: Bool, sending: Bool) {
        guard state.withLock({ $0.allow(receiving) }) else { return }
        SessionCore.work.async { [self] in tell() }
    }

    /// Tells as much as the client takes. One thread at a time is here.
    private func tell() {
        while true {
            let size = response == nil ? nil : body.count
            let (step, turn) = state.withLock { ($0.next(size: size), $0.turn) }
            switch step {
            case .rest:
                return
            case .endTurn:
                client.loaderDidEndTurn(self)
            case .response:
                guard let response else { return }
                let decision = client.loader(self, didReceive: response)
                state.withLock { $0.note(decision, turn: turn) }
            case .bytes(let range):
                let bytes = body.span.extracting(range)
                let decision = client.loader(self, didReceiveBody: bytes)
                state.withLock { $0.note(decision, turn: turn) }
            case .end(let isCancelled):
                var outcome = outcome
                if isCancelled { outcome.failure = .transport(.cancelled) }
                client.loader(self, didEndWith: outcome)
                client.loaderDidCompleteTurn(self)
                return
            }
        }
    }
}
