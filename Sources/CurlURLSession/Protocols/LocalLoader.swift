internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Loads what is in this machine, on a serial queue of its own: `data:` and `file:` URLs.
///
/// It reads a piece when the client takes one, and has one in memory at a time.
final class LocalLoader: Loader {
    private enum Progress {
        case waiting
        case reading(any LocalContent)
        case ended
    }

    private struct State {
        var progress = Progress.waiting
        var mayReceive = true
        var isCancelled = false
    }

    /// How many bytes the client is given at once.
    static let pieceSize = 64 * 1024

    private let source: @Sendable () throws -> any LocalContent
    private let client: any LoaderClient
    private let queue = DispatchQueue(label: "curl-local-load")
    private let state = Mutex(State())

    /// - Parameter source: Opens what is loaded. Called once, on the loader's queue.
    init(client: any LoaderClient, source: @escaping @Sendable () throws -> any LocalContent) {
        self.source = source
        self.client = client
    }

    // MARK: Loader

    func start() {
        queue.async { [self] in begin() }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        queue.async { [self] in read() }
    }

    func allow(receiving: Bool, sending: Bool) {
        queue.async { [self] in
            state.withLock { $0.mayReceive = receiving }
            if receiving { read() }
        }
    }

    // MARK: On the queue

    private func begin() {
        guard !state.withLock({ $0.isCancelled }) else { return end(Self.cancelled) }
        do {
            let content = try source()
            heed(client.loader(self, didReceive: .response(content.response)))
            state.withLock { $0.progress = .reading(content) }
            read(hasTold: true)
        } catch {
            end(.other(error))
        }
    }

    /// Reads for as long as somebody wants to have it.
    ///
    /// - Parameter hasTold: Whether the client was told something that it hasn't acted upon yet.
    private func read(hasTold: Bool = false) {
        var hasTold = hasTold
        while var content = nextToRead() {
            do {
                guard let piece = try content.next() else { return end(nil) }
                state.withLock { [content] in $0.progress = .reading(content) }
                heed(client.loader(self, didReceiveBody: piece.span))
                client.loaderDidEndTurn(self)
                hasTold = false
            } catch {
                return end(.other(error))
            }
        }
        if isCancelledWhileReading {
            end(Self.cancelled)
        } else if hasTold {
            client.loaderDidEndTurn(self)
        }
    }

    private var isCancelledWhileReading: Bool {
        state.withLock { state in
            if case .reading = state.progress { state.isCancelled } else { false }
        }
    }

    private func nextToRead() -> (any LocalContent)? {
        state.withLock { state in
            guard case .reading(let content) = state.progress, state.mayReceive,
                !state.isCancelled
            else { return nil }
            return content
        }
    }

    private func heed(_ decision: DeliveryDecision) {
        state.withLock { state in
            switch decision {
            case .proceed: break
            case .pause: state.mayReceive = false
            case .cancel: state.isCancelled = true
            }
        }
    }

    private static let cancelled = LoadOutcome.Failure.transport(.cancelled)

    private func end(_ failure: LoadOutcome.Failure?) {
        state.withLock { $0.progress = .ended }
        client.loader(self, didEndWith: LoadOutcome(failure: failure, metrics: nil))
        client.loaderDidCompleteTurn(self)
    }
}
