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
    /// The transactions so far, for the metrics.
    private(set) var transactions = TaskTransactions()

    // MARK: The response

    /// Created on demand from the loaded response.
    private var madeResponse: URLResponse?
    /// The bytes that the consumer hasn't taken yet, or the complete body.
    var buffer = BodyBuffer()
    /// Informational responses, until they are delivered.
    var informationalHeads: [(url: URL, head: ResponseHead)] = []
    /// A response's cookies, which are stored before any other delivery of it.
    var cookies = PendingCookies()
    /// The response to store, while the delegate must decide.
    @Indirect var proposal: CacheProposal? = nil

    init(_ request: URLRequest?, body: TaskBody) {
        originalRequest = request
        currentRequest = request
        self.body = body
    }

    /// Returns the task's response, if there is one.
    mutating func response() -> URLResponse? {
        if let madeResponse { return madeResponse }
        guard load?.isDelivering ?? false else { return nil }
        madeResponse = load?.response?.response(url: load?.loadRequest.request.url)
        return madeResponse
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
        buffer = BodyBuffer()
        load?.phase = .discarding(left: TaskLoad.maximumDiscarded)
    }

    /// Records the transactions of a completed load, for the metrics.
    ///
    /// - Parameter expectedToSend: The length of the body; -1 if unknown.
    mutating func noteTransactions(expectedToSend: Int64) {
        guard let load else { return }
        let step = load.loadRequest.upload
        let length = step == .inquiry ? 0 : expectedToSend - (step?.offset ?? 0)
        transactions.note(load, bodyLength: length)
    }

    /// Resets the state for another attempt. Only the metrics are kept.
    mutating func prepareNextAttempt() {
        load = nil
        (next, proposal, madeResponse) = (nil, nil, nil)
        (buffer, informationalHeads) = (BodyBuffer(), [])
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

/// The bytes of a response's body that the consumer hasn't taken yet, or the complete body.
struct BodyBuffer: Sendable {
    private(set) var bytes = Data()
    /// Whether receiving is paused until the consumer takes bytes. A download's file sets it when
    /// its own buffer is full.
    var isFull = false

    /// The number of unread bytes that pauses receiving.
    ///
    /// It is larger than what a loop takes from one connection in a turn (512 KiB). Otherwise the
    /// loop and the consumer would wait for each other in turn.
    static let window = 768 * 1024

    // MARK: Waiting for more

    /// Whether bytes have arrived in a turn of the loader that hasn't ended.
    private var isInTurn = false
    /// Whether the loader will report that no more bytes are ready.
    private var isIdleDue = false
    /// The number of bytes that consumers have taken.
    private var taken = 0
    /// The number of bytes that the last consumer has taken.
    private var lastTaken = 0

    /// If a turn buffers this many bytes, more are expected soon.
    private static let flow = 16 * 1024

    /// Whether the consumer of the bytes can wait for more.
    ///
    /// It is notified of half a window instead of each piece, because each notification costs two
    /// thread switches. The loader's next event ends the wait.
    var awaitsMore: Bool { (isInTurn || isIdleDue) && isFlowing }

    private var isFlowing: Bool {
        let unread = bytes.count - reportedCount
        return unread >= Self.flow && unread < Self.window / 2
    }

    /// Ends a turn of the loader.
    ///
    /// - Returns: If the loader has to report when no more bytes are ready: whether it can wait a
    ///   moment for the next ones.
    mutating func endTurn() -> Bool? {
        defer { isInTurn = false }
        guard isInTurn, isFlowing, !isIdleDue else { return nil }
        isIdleDue = true
        return taken >= Self.window
    }

    /// Ends the wait for more: the consumer gets the bytes now.
    mutating func stopWaiting() {
        (isInTurn, isIdleDue) = (false, false)
    }

    /// The bytes of a collected body that were reported to the delegate.
    private var reportedCount = 0

    /// Keeps bytes until the consumer takes them, or they are reported.
    mutating func keep(_ bytes: Span<UInt8>, upTo limit: Int = Self.window) -> DeliveryDecision {
        isInTurn = true
        if self.bytes.isEmpty, lastTaken > bytes.count {
            // As many are likely to arrive again. Growing in steps would copy them twice.
            self.bytes.reserveCapacity(min(lastTaken, limit) + bytes.count)
        }
        self.bytes.append(copying: bytes)
        guard self.bytes.count - reportedCount >= limit else { return .proceed }
        isFull = true
        return .pause
    }

    /// Keeps bytes of a body that is delivered as a whole.
    ///
    /// - Parameter expected: The length of the body; -1 if unknown.
    mutating func collect(_ bytes: Span<UInt8>, expected: Int64) {
        reserveCapacity(adding: bytes.count, expected: expected)
        self.bytes.append(copying: bytes)
    }

    /// Reserves capacity for bytes of a body that is delivered as a whole.
    mutating func reserveCapacity(adding count: Int, expected: Int64) {
        let capacity = BodyCapacityPolicy.capacity(
            expected: expected,
            held: bytes.count,
            adding: count
        )
        if let capacity { bytes.reserveCapacity(capacity) }
    }

    /// Takes the bytes for a consumer.
    mutating func take() -> Data {
        var taken = Data()
        swap(&taken, &bytes)
        self.taken += taken.count
        lastTaken = taken.count
        return taken
    }

    // MARK: A collected body

    /// Counts the bytes of a collected body as reported. Returns those that weren't before.
    mutating func report() -> Range<Int> {
        let first = min(reportedCount, bytes.count)
        reportedCount = bytes.count
        return first..<bytes.count
    }

    /// A copy of a part of the collected body.
    func copy(of range: Range<Int>) -> Data {
        bytes.subdata(in: range.clamped(to: 0..<bytes.count))
    }

    /// Copies the bytes of a collected body that weren't reported before.
    mutating func takeUnreported() -> Data {
        let range = report()
        return copy(of: range)
    }

    /// The bytes of the collected body that were reported.
    var reported: Data { bytes.prefix(reportedCount) }

    /// Moves the collected body to its consumer. Bytes that weren't reported are discarded.
    mutating func takeReported() -> Data {
        defer { bytes = Data() }
        return reported
    }
}
