internal import CurlTransport
internal import Foundation

/// The exchange of a task: its requests, its loads, and the response.
///
/// It is noncopyable for the reason given in ``TaskState``.
struct TaskExchange: ~Copyable {
    // MARK: Requests

    let originalRequest: URLRequest?
    private(set) var currentRequest: URLRequest?
    /// The delegate's replacement for a delayed request.
    @Indirect var delayedRequest: URLRequest? = nil
    var body: TaskBody
    var load: TaskLoad?
    /// The request to load after the current load.
    @Indirect var next: LoadRequest? = nil
    var redirectCount = 0
    var connectivity = ConnectivityWait()
    var authentication = AuthenticationHistory()
    var accepted = AcceptedCredentials()
    /// The transactions of former loads, for the metrics.
    private var transactions = TaskTransactions()
    /// The length of the request body of the current load, if the load has ended and its
    /// transactions aren't recorded yet.
    ///
    /// The thread that makes the metrics records the last load, because it also frees the
    /// transactions: see ``BufferPool``.
    private var endedBodyLength: Int64?

    // MARK: The response

    /// Created on demand from the loaded response.
    private var madeResponse: URLResponse?
    /// The bytes that the consumer hasn't taken yet, or the complete body.
    var buffer: BodyBuffer
    /// Informational responses, until they are delivered.
    var informationalHeads: [(url: URL, head: ResponseHead)] = []
    /// A response's cookies, which are stored before any other delivery of it.
    var cookies = PendingCookies()
    /// The response to store, while the delegate must decide.
    @Indirect var proposal: CacheProposal? = nil

    /// - Parameter pool: The session's memory for small bodies; `nil` without a session.
    init(_ request: URLRequest?, body: TaskBody, pool: BufferPool?) {
        originalRequest = request
        currentRequest = request
        self.body = body
        buffer = BodyBuffer(pool: pool)
    }

    /// Returns the task's response, if there is one.
    mutating func response() -> URLResponse? {
        if let madeResponse { return madeResponse }
        guard load?.isDelivering ?? false else { return nil }
        load?.moveHead(returningMemoryTo: buffer.pool)
        madeResponse = load?.response?.response(url: load?.loadRequest.request.url)
        return madeResponse
    }

    /// Copies a received head to memory of the session's pool, until the task takes it.
    func pooled(_ response: LoadedResponse) -> LoadedResponse {
        guard let pool = buffer.pool, case .head(let head) = response else { return response }
        return .head(head.copied(into: pool.take()))
    }

    /// The loader in flight, if there is one.
    var loaderInFlight: (any Loader)? {
        load?.isOver ?? true ? nil : load?.loader
    }

    /// Whether cookies or a credential of the response are still to be stored. They must be before
    /// any consumer sees the response.
    var isStoring: Bool { cookies.arePending || accepted.isStoring }

    // MARK: Loads

    /// Records that a load begins.
    mutating func begin(_ load: TaskLoad) {
        noteTransactions(nil)
        self.load = load
        authentication.begin(with: load.loadRequest.authorization)
        currentRequest = load.loadRequest.request
        // A stream can't be read a second time.
        if case .stream = load.loadRequest.body { body = .asked }
    }

    /// Takes the next request if no load is in flight.
    mutating func takeNext() -> LoadRequest? {
        guard load?.isOver ?? true else { return nil }
        return next.take()
    }

    /// Replaces the current load with another one. The rest of its body is discarded.
    mutating func replaceLoad(with loadRequest: LoadRequest) {
        next = loadRequest
        buffer.discard()
        load?.phase = .discarding(left: TaskLoad.maximumDiscarded)
    }

    /// Records that a load has completed, for the metrics.
    ///
    /// - Parameter expectedToSend: The length of the body; -1 if unknown.
    mutating func noteEnd(expectedToSend: Int64) {
        guard let load else { return }
        let step = load.loadRequest.upload
        endedBodyLength = step == .inquiry ? 0 : expectedToSend - (step?.offset ?? 0)
    }

    /// Takes the transactions so far, for the metrics.
    mutating func takeTransactions() -> [TaskTransaction] {
        noteTransactions(response())
        return transactions.take()
    }

    /// Records the transactions of the completed load.
    ///
    /// - Parameter response: The task's response if it is the load's; `nil` otherwise.
    private mutating func noteTransactions(_ response: URLResponse?) {
        guard let bodyLength = endedBodyLength else { return }
        endedBodyLength = nil
        if response == nil { load?.moveHead(returningMemoryTo: buffer.pool) }
        guard let load else { return }
        transactions.note(load, as: response, bodyLength: bodyLength)
    }

    /// Resets the state for another attempt. Only the metrics are kept.
    mutating func prepareNextAttempt() {
        noteTransactions(nil)
        load = nil
        (next, proposal, madeResponse) = (nil, nil, nil)
        buffer.discard()
        informationalHeads = []
        redirectCount = 0
        authentication = AuthenticationHistory()
        connectivity = ConnectivityWait()
    }

    /// Whether the body can be sent again without asking the delegate.
    var hasRepeatableBody: Bool {
        switch body {
        case .none, .data, .file, .fileRest: true
        case .stream(let stream): stream.isRestartable
        case .sequence(let sequence): sequence.canBeSent
        case .asked: originalRequest?.state.body.isRestartable ?? false
        }
    }

    /// Keeps the cookies that a response sets.
    mutating func noteCookies(of response: LoadedResponse, session: SessionCore?) {
        guard response.receivedHead?.setsCookies ?? false, let load,
            let settings = session?.settings
        else { return }
        cookies.note(
            ReceivedCookies(of: response, to: load.loadRequest.request, settings: settings)
        )
    }

    // MARK: Errors

    /// Converts a transport error for the user.
    func urlError(_ error: TransportError) -> URLError {
        URLError(error, url: currentRequest?.url ?? originalRequest?.url)
    }

    /// The error that a failed load ends with.
    func userError(of failure: LoadOutcome.Failure) -> any Error {
        switch failure {
        case .other(let error): error
        case .transport(let error): urlError(error)
        }
    }

    /// Wraps the error of a body stream or a sequence in a `URLError`.
    func bodyError(_ error: any Error) -> URLError {
        URLError(
            .requestBodyStreamExhausted,
            url: currentRequest?.url,
            reason: "the request's body couldn't be read: \(error).",
            underlying: error
        )
    }
}
