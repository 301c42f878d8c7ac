import CurlTransport
import HTTPTypes
import Synchronization

/// One attempt as the transport sees it. Its methods run on the transfer's event loop.
final class FetchAttempt: TransferDelegate {
    private struct State {
        var outcome: AttemptOutcome
        var sink: (any BodySink)?
        var isStoppedBySink = false
    }

    /// Only the loop asks for it: never waited for.
    private let state: Mutex<State>
    private let traffic: TransportFetcher.Traffic
    private let makeSink: @Sendable () -> any BodySink
    private let completion: @Sendable (AttemptOutcome) -> Void

    init(
        url: String?,
        traffic: TransportFetcher.Traffic,
        sink: @escaping @Sendable () -> any BodySink,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        state = Mutex(State(outcome: AttemptOutcome(finalURL: url)))
        self.traffic = traffic
        makeSink = sink
        self.completion = completion
    }

    func transfer(
        _ transfer: TransferHandle,
        willFollow redirect: Redirect
    ) -> RedirectDecision {
        state.withLock { $0.outcome.finalURL = redirect.location }
        return .follow
    }

    func transfer(_ transfer: TransferHandle, didReceive head: ResponseHead) -> DeliveryDecision {
        let isSuccess = (200..<300).contains(head.statusCode)
        let sink = isSuccess ? makeSink() : nil
        let retryAfter = isSuccess ? nil : head.firstValue(of: .retryAfter)
        let contentType = head.firstValue(of: .contentType)
        let httpVersion = head.httpVersion
        state.withLock { state in
            state.sink = sink
            state.outcome.status = head.statusCode
            state.outcome.contentType = contentType
            state.outcome.httpVersion = httpVersion
            state.outcome.retryAfter = retryAfter
        }
        return .proceed
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        traffic.received.wrappingAdd(Int64(bytes.count), ordering: .relaxed)
        let sink = state.withLock { state in
            state.outcome.bytes += Int64(bytes.count)
            return state.sink
        }
        switch sink?.receive(bytes, flow: transfer) {
        case .more, nil:
            return .proceed
        case .pause:
            return .pause
        case .stop:
            state.withLock { $0.isStoppedBySink = true }
            return .cancel
        }
    }

    func transfer(_ transfer: TransferHandle, didFinishCollecting metrics: TransferMetrics) {
        state.withLock { state in
            state.outcome.isConnectionReused = metrics.isConnectionReused
            state.outcome.timings.queue = metrics.queue
            state.outcome.timings.nameLookup = metrics.nameLookup
            state.outcome.timings.connect = metrics.connect
            state.outcome.timings.tls = metrics.tls
            state.outcome.timings.firstByte = metrics.firstByte
            state.outcome.timings.total = metrics.total
        }
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        let (ending, sink, isStopped) = state.withLock { state in
            (state.outcome, state.sink.take(), state.isStoppedBySink)
        }
        var outcome = ending
        if let error {
            // Where the sink ended it, the sink knows better why.
            if !isStopped { outcome.failure = Self.failure(error) }
        } else {
            outcome.failure = Self.failure(status: outcome.status)
        }
        // Without a response nothing came from anywhere.
        if outcome.status == nil { outcome.finalURL = nil }
        guard let sink else { return completion(outcome) }
        let result = outcome
        sink.finish(isComplete: error == nil) { [completion] end in
            var outcome = result
            outcome.end = end
            if case .failed(let reason) = end {
                outcome.failure = (reason, .permanent)
            } else if isStopped, outcome.failure == nil {
                outcome.failure = (BatchFailure(.output, "the body was not taken"), .permanent)
            }
            completion(outcome)
        }
    }

    private static func failure(
        status: Int?
    ) -> (reason: BatchFailure, cause: RetryCause)? {
        guard let status, !(200..<300).contains(status) else { return nil }
        return (BatchFailure(.status, "the server answered \(status)"), .status(status))
    }

    private static func failure(
        _ error: TransportError
    ) -> (reason: BatchFailure, cause: RetryCause) {
        let code: BatchFailure.Code =
            if error.isCancelled {
                .cancelled
            } else if error.isTimeout {
                .timeout
            } else {
                BatchFailure.Code("\(error.code)")
            }
        let cause = RetryCause.transfer(
            isTransient: error.isRetryable,
            mayHaveReachedServer: error.retry != .always
        )
        return (BatchFailure(code, error.message), cause)
    }
}

extension TransferHandle: FlowControl {}
