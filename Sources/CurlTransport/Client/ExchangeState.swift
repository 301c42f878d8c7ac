internal import Curl
internal import HTTPTypes

/// What one exchange of the asynchronous client knows, and who waits for what.
///
/// Events go in under the exchange's lock; what has to be done comes out and is done without it.
struct ExchangeState {
    typealias HeadWaiter = CheckedContinuation<Result<ResponseHead, TransportError>, Never>
    typealias BodyWaiter = CheckedContinuation<Result<[UInt8]?, TransportError>, Never>

    var request: HTTPRequest
    var handle: TransferHandle?
    /// Held until the exchange is over, which may be after its client is gone.
    var transport: Transport?
    var head: ResponseHead?
    var metrics: TransferMetrics?
    var trailers: HTTPFields?
    var headWaiter: HeadWaiter?
    /// The whole body is wanted, and it may have so many bytes.
    var collectLimit: Int?
    /// A waiting reader wants to be told that there is something, and nothing else.
    var takesChunksElsewhere = false
    var log = LogQueue()
    private(set) var isCancelled = false

    private var bodyWaiter: BodyWaiter?
    private var buffer: [UInt8] = []
    /// The chunk that was handed out last. Once its reader is done with it, its memory is used for
    /// the next but one, which spares the system clearing fresh pages all the time.
    private var lent: [UInt8] = []
    private var spare: [UInt8] = []
    private var isPaused = false
    private var isComplete = false
    private var error: TransportError?
    private var isLogging = false

    /// From so many bytes on that nobody has taken, the server has to wait.
    private static let window = 512 * 1024

    init(request: HTTPRequest) {
        self.request = request
    }

    // MARK: Events of the loop

    mutating func append(_ bytes: Span<UInt8>) -> DeliveryDecision {
        if buffer.isEmpty {
            swap(&buffer, &spare)
            reserve(for: bytes.count)
        }
        buffer.append(copying: bytes)
        if let collectLimit {
            guard buffer.count <= collectLimit else {
                error = tooLarge(collectLimit)
                return .cancel
            }
            return .proceed
        }
        guard buffer.count >= Self.window else { return .proceed }
        isPaused = true
        // A reader that is this slow shall not be the reason for more than it holds itself.
        spare = []
        return .pause
    }

    /// Makes room at once for what a server announces, within bounds.
    private mutating func reserve(for count: Int) {
        guard let length = head?.contentLength, length > count else { return }
        // A window is closed by the piece that fills it, which may not fit in.
        let bound = collectLimit.map { Swift.min($0, 16 << 20) } ?? Self.window + 16 * 1024
        buffer.reserveCapacity(Int(Swift.min(length, Int64(bound))))
    }

    /// The transfer is over. Whoever waits is told at the end of the turn.
    mutating func complete(with error: TransportError?) {
        isComplete = true
        // The response may be kept for long.
        (lent, spare) = ([], [])
        if self.error == nil { self.error = error }
    }

    var hasWaiter: Bool { headWaiter != nil || bodyWaiter != nil }

    /// What a waiting task can be told now.
    mutating func wakeUp() -> WakeUp {
        if let headWaiter {
            if let head {
                self.headWaiter = nil
                return .head(headWaiter, .success(head))
            }
            guard isComplete else { return .nobody }
            self.headWaiter = nil
            return .head(headWaiter, .failure(error ?? .emptyExchange))
        }
        guard let bodyWaiter else { return .nobody }
        let taken = answerReader()
        guard let result = taken.result else { return .nobody }
        self.bodyWaiter = nil
        return .body(bodyWaiter, result, taken.resume)
    }

    // MARK: The reading task

    struct Taken {
        /// Nil where there is nothing to tell yet.
        var result: Result<[UInt8]?, TransportError>?
        /// Where the flow was stopped and may go on.
        var resume: TransferHandle?
    }

    /// What a reader that waits, or would, is told now.
    mutating func answerReader() -> Taken {
        let hasFailed = isComplete && error != nil
        guard takesChunksElsewhere, !buffer.isEmpty, !hasFailed else { return takeChunk() }
        return Taken(result: .success([]))
    }

    /// Takes what there is.
    mutating func takeChunk() -> Taken {
        if isComplete {
            if let collectLimit, buffer.count > collectLimit, error == nil {
                error = tooLarge(collectLimit)
            }
            if let error { return Taken(result: .failure(error)) }
            let rest = buffer
            buffer = []
            return Taken(result: .success(rest.isEmpty ? nil : rest))
        }
        guard let collectLimit else {
            guard !buffer.isEmpty else { return Taken(resume: resumed()) }
            return Taken(result: .success(lend()), resume: resumed())
        }
        // All is kept until the end, so nothing is to be held back, unless it is too much already.
        guard buffer.count <= collectLimit, !announcesMore(than: collectLimit) else {
            error = tooLarge(collectLimit)
            isCancelled = true
            handle?.cancel()
            return Taken(result: error.map { .failure($0) })
        }
        return Taken(resume: resumed())
    }

    /// Hands the buffer out, and takes back the one before if nobody has it any more.
    private mutating func lend() -> [UInt8] {
        let size = lent.capacity
        lent.removeAll(keepingCapacity: true)
        // If somebody has, that made a new one; by whole pages larger, where it has pages of its own.
        if lent.capacity > size { lent = [] }
        swap(&spare, &lent)
        lent = buffer
        buffer = []
        return lent
    }

    /// Takes what there is, or keeps the task's continuation.
    mutating func takeChunk(orWaitWith continuation: BodyWaiter) -> Taken {
        let taken = answerReader()
        guard taken.result == nil else { return taken }
        guard bodyWaiter == nil else {
            return Taken(result: .failure(.bodyReadTwice))
        }
        bodyWaiter = continuation
        return taken
    }

    private func tooLarge(_ limit: Int) -> TransportError {
        .responseTooLarge(limit: Int64(limit), url: request.url)
    }

    /// Whether the head announces a body that is too long. Of one that will be decoded, the length
    /// isn't known.
    private func announcesMore(than limit: Int) -> Bool {
        guard let head, request.method != .head, head.mayHaveBody,
            let length = head.contentLength, length > limit
        else { return false }
        return !head.framing.isEncoded
    }

    private mutating func resumed() -> TransferHandle? {
        guard isPaused else { return nil }
        isPaused = false
        return handle
    }

    /// Nobody wants the rest. Answers the transfer to cancel, if it is still there.
    mutating func cancel() -> TransferHandle? {
        guard !isCancelled, !isComplete else { return nil }
        isCancelled = true
        return handle
    }

    // MARK: The log

    mutating func startLogging() -> Bool {
        defer { isLogging = true }
        return !isLogging
    }

    mutating func takeLog() -> [TransferLogLine] {
        let lines = log.takeAll()
        isLogging = !lines.isEmpty
        return lines
    }

    /// A task to be resumed, once the lock is given back.
    enum WakeUp {
        case nobody
        case head(HeadWaiter, Result<ResponseHead, TransportError>)
        case body(BodyWaiter, Result<[UInt8]?, TransportError>, TransferHandle?)

        func run() {
            switch self {
            case .nobody:
                break
            case .head(let waiter, let result):
                waiter.resume(returning: result)
            case .body(let waiter, let result, let resume):
                resume?.resumeReceiving()
                waiter.resume(returning: result)
            }
        }
    }
}

extension TransportError {
    /// Can't happen as long as every transfer that succeeds has a head.
    fileprivate static let emptyExchange = TransportError.invalidResponse("there was no response")

    fileprivate static let bodyReadTwice = TransportError.invalidRequest(
        "two tasks read the same response body; only one may"
    )
}
