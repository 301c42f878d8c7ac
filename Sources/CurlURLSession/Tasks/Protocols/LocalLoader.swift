internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Loads `data:` and `file:` URLs on its own serial queue.
///
/// It reads one piece at a time, when the client accepts it, and holds at most one in memory.
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

    /// The largest number of bytes delivered in one call.
    static let pieceSize = 64 * 1024

    private let source: @Sendable () throws -> any LocalContent
    private let client: any LoaderClient
    private let queue = DispatchQueue(label: "curl-local-load")
    private let state = Mutex(State())

    /// - Parameter source: Opens the content. Called once, on the loader's queue.
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
            apply(client.loader(self, didReceive: .response(content.response)))
            state.withLock { $0.progress = .reading(content) }
            read(hasDelivered: true)
        } catch {
            end(.other(error))
        }
    }

    /// Reads and delivers while the client accepts bytes.
    ///
    /// - Parameter hasDelivered: Whether the client has received events since the last end of a batch.
    private func read(hasDelivered: Bool = false) {
        var hasDelivered = hasDelivered
        while var content = nextToRead() {
            do {
                guard let piece = try content.next() else { return end(nil) }
                state.withLock { [content] in $0.progress = .reading(content) }
                apply(client.loader(self, didReceiveBody: piece.span))
                client.loader(self, didReceive: .endOfTurn)
                hasDelivered = false
            } catch {
                return end(.other(error))
            }
        }
        if isCancelledWhileReading {
            end(Self.cancelled)
        } else if hasDelivered {
            client.loader(self, didReceive: .endOfTurn)
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

    private func apply(_ decision: DeliveryDecision) {
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
        client.loader(self, didReceive: .end(LoadOutcome(failure: failure, metrics: nil)))
        client.loader(self, didReceive: .endOfLastTurn)
    }
}

/// Content that is loaded without the network, read from start to end.
protocol LocalContent: Sendable {
    /// The response, known before the body is read.
    var response: URLResponse { get }

    /// Returns the next piece, of at most ``LocalLoader/pieceSize`` bytes. `nil` at the end. May
    /// block on the disk.
    mutating func next() throws -> Data?
}
