internal import CurlTransport
internal import Glibc
internal import LoadKit
internal import LoadSupport
internal import Synchronization

/// One place in flight: the delegate of one transfer after the other.
final class TransferPlace: TransferDelegate {
    private struct State {
        var body: [UInt8] = []
        var status = 0
        var received = 0
        var sent = 0
        var started = 0.0
        var openedConnection = false
        var output: Int32 = -1
        var error: TransportError?
    }

    private let index: Int
    private let options: LoadOptions
    private let results: ResultQueue
    private let state = Mutex(State())

    init(index: Int, options: LoadOptions, results: ResultQueue) {
        self.index = index
        self.options = options
        self.results = results
    }

    // MARK: On the submitting thread

    func begin() {
        let path = options.output(ofPlace: index)
        let descriptor = path.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        state.withLock { state in
            state = State(started: load_now(), output: descriptor ?? -1)
        }
    }

    func finish(_ tally: inout Tally) {
        state.withLock { state in
            if state.output >= 0 { close(state.output) }
            state.body = []
            if let error = state.error {
                tally.count(problem: "\(error)", bytes: 0, started: state.started)
                return
            }
            let outcome = Outcome(
                status: state.status,
                received: state.received,
                sent: state.sent,
                openedConnection: state.openedConnection
            )
            tally.count(outcome, options: options, started: state.started)
        }
    }

    // MARK: On the loop thread

    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision {
        state.withLock { $0.status = head.statusCode }
        return .proceed
    }

    func transfer(_ transfer: TransferHandle, didReceiveBody bytes: Span<UInt8>) -> DeliveryDecision
    {
        state.withLock { state in
            state.received += bytes.count
            if options.mode == .get {
                bytes.withUnsafeBufferPointer { state.body.append(contentsOf: $0) }
                return .proceed
            }
            guard state.output >= 0 else { return .proceed }
            let isWritten = bytes.withUnsafeBytes {
                load_write(state.output, $0.baseAddress, $0.count)
            }
            return isWritten ? .proceed : .cancel
        }
    }

    func transfer(
        _ transfer: TransferHandle,
        didSendBodyBytes sent: Int64,
        of expected: Int64?
    ) {
        state.withLock { $0.sent = Int(sent) }
    }

    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
        state.withLock { $0.openedConnection = !metrics.isConnectionReused }
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        state.withLock { $0.error = error }
        results.put(index)
    }

    func transferDidCompleteTurn(_ transfer: TransferHandle) {
        results.wakeReader()
    }
}
