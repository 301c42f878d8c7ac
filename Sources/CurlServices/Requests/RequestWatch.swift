internal import CurlTransport
internal import HTTPTypes
internal import Synchronization

/// What is notified of the course of one request.
///
/// The methods are called on a loop thread, or in the task that sends the request.
protocol RequestListener: Sendable {
    /// A redirect is followed with `request`, which may be changed.
    func willFollow(_ redirect: Redirect, with request: inout HTTPRequest)

    /// A transfer has ended. A request that middleware repeats has several.
    func transferEnded(_ end: TransferEnd)

    /// The request is over. Called once, after its transfers.
    func requestEnded(_ outcome: RequestOutcome)
}

extension RequestListener {
    func willFollow(_ redirect: Redirect, with request: inout HTTPRequest) {}
    func transferEnded(_ end: TransferEnd) {}
    func requestEnded(_ outcome: RequestOutcome) {}
}

/// How a request ended for its caller.
struct RequestOutcome: Sendable {
    /// The transfer whose response or error the caller got; nil if there was none.
    ///
    /// Middleware may answer a request or refuse it without a transfer.
    var end: TransferEnd?
    /// The status of the response that the caller got.
    var statusCode: Int?
    /// The error that the caller got, or that ended the body.
    var error: TransportError?
    /// Whether the error means that the other one of a hedged request was answered first.
    var lostHedge = false

    /// `error.type`; nil for success.
    var errorType: String? {
        Conventions.errorType(statusCode: statusCode, error: error, lostHedge: lostHedge)
    }
}

extension RequestOutcome {
    /// The outcome of a request whose transfer has ended.
    init(_ end: TransferEnd, statusCode: Int?) {
        self.init(
            end: end,
            statusCode: statusCode,
            error: end.error,
            lostHedge: end.lostHedge
        )
    }
}

/// Watches one request from its start to the end of its response's body.
final class RequestWatch: TransferObserver {
    private struct State {
        /// The ended transfers, before the caller has its response.
        var ends: [TransferEnd] = []
        /// The response that the caller has got.
        var response: (id: TransferID, statusCode: Int)?
        var isOver = false
    }

    private let listener: any RequestListener
    private let state = Mutex(State())

    init(_ listener: any RequestListener) {
        self.listener = listener
    }

    /// Without a transfer, as of a response from a cache, nothing else ends the request.
    deinit {
        let statusCode = state.withLock { $0.response?.statusCode }
        end(RequestOutcome(statusCode: statusCode))
    }

    /// Sends the request through `next`.
    func send(
        _ request: HTTPRequest,
        body: RequestBody,
        context: RequestContext,
        next: any HTTPExchanging
    ) async throws(TransportError) -> HTTPClientResponse {
        var context = context
        context.observers.append(self)
        do throws(TransportError) {
            let response = try await next.send(request, body: body, context: context)
            received(response)
            return response
        } catch {
            failed(error, context.hedge)
            throw error
        }
    }

    func transfer(
        _ id: TransferID,
        willFollow redirect: Redirect,
        with request: inout HTTPRequest
    ) {
        listener.willFollow(redirect, with: &request)
    }

    func transferDidEnd(_ end: TransferEnd) {
        listener.transferEnded(end)
        let statusCode: Int? = state.withLock { state in
            guard let response = state.response else {
                state.ends.append(end)
                return nil
            }
            return response.id == end.id ? response.statusCode : nil
        }
        guard let statusCode else { return }
        self.end(RequestOutcome(end, statusCode: statusCode))
    }

    private func received(_ response: HTTPClientResponse) {
        let (id, statusCode) = (response.id, response.statusCode)
        let end: TransferEnd? = state.withLock { state in
            state.response = (id, statusCode)
            return state.ends.first { $0.id == id }
        }
        guard let end else { return }
        self.end(RequestOutcome(end, statusCode: statusCode))
    }

    private func failed(_ error: TransportError, _ hedge: HedgedRequest?) {
        let end = state.withLock { state in state.ends.last { $0.id == error.transferID } }
        let lostHedge = hedge?.hasLost(with: error) ?? false
        self.end(RequestOutcome(end: end, error: error, lostHedge: lostHedge))
    }

    private func end(_ outcome: RequestOutcome) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { listener.requestEnded(outcome) }
    }
}
