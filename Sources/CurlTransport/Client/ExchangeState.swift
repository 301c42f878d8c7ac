internal import Curl
internal import HTTPTypes

/// What one exchange of the asynchronous client knows, and who waits for what.
///
/// Events go in under the exchange's lock; what has to be done comes out and is done without it. Only
/// to a file in memory bytes are written under it, as they would be kept.
///
/// There is one of an exchange, which nobody copies.
struct ExchangeState: ~Copyable {
    typealias HeadWaiter = WaitingTask<Void>
    /// False: another task waits for the body already.
    typealias BodyWaiter = WaitingTask<Bool>

    var request: HTTPRequest
    var handle: TransferHandle?
    /// Held until the exchange is over, which may be after its client is gone.
    var transport: Transport?
    private var head: ResponseHead?
    var metrics: TransferMetrics?
    var trailers: HTTPFields?
    private var headWaiter: HeadWaiter?
    /// The whole body is wanted, and it may have so many bytes.
    var collectLimit: Int?
    /// A waiting reader wants to be told that there is something, and nothing else.
    var takesChunksElsewhere = false
    /// The file in memory that the loop writes the body to, instead of keeping it for a reader.
    private var target: DownloadTarget?
    var log = LogQueue()
    private(set) var isCancelled = false

    private var bodyWaiter: BodyWaiter?
    private var buffer: [UInt8] = []
    /// The chunk that was handed out last. Once its reader is done with it, its memory is used for
    /// the next but one, which spares the system clearing fresh pages all the time.
    private var lent: [UInt8] = []
    private var spare: [UInt8] = []
    private var isPaused = false
    private var isWokenWhenQuiet = false
    /// How much was handed out in chunks.
    private var handedOut = 0
    private var isComplete = false
    private var error: TransportError?
    private var isLogging = false

    /// From so many bytes on that nobody has taken, the server has to wait.
    private let window: Int
    /// Where so many bytes came in a turn, more are on their way.
    private static let flow = 16 * 1024

    /// - Parameter receiveBufferSize: How many bytes libcurl may bring at once.
    init(request: HTTPRequest, receiveBufferSize: Int) {
        self.request = request
        // Where one piece filled it, the loop and the reader would wait for each other in turns.
        window = Swift.max(512 * 1024, 2 * receiveBufferSize)
    }

    // MARK: Events of the loop

    mutating func receive(_ head: ResponseHead, by transfer: TransferHandle) {
        self.head = head.copied(into: transfer.loop?.spareMemory.take() ?? [])
        // The task that started the transfer may not have come to keep it yet.
        handle = transfer
    }

    mutating func append(_ bytes: Span<UInt8>) -> DeliveryDecision {
        if let target { return write(bytes, to: target) }
        if buffer.isEmpty {
            swap(&buffer, &spare)
            prepareBuffer(for: bytes.count)
        }
        if let collectLimit { prepareCollecting(of: bytes.count, upTo: collectLimit) }
        buffer.append(copying: bytes)
        if let collectLimit {
            guard buffer.count <= collectLimit else {
                error = tooLarge(collectLimit)
                return .cancel
            }
            return .proceed
        }
        guard buffer.count >= window else { return .proceed }
        isPaused = true
        // A reader that is this slow shall not be the reason for more than it holds itself.
        spare = []
        return .pause
    }

    private mutating func write(
        _ bytes: Span<UInt8>,
        to target: DownloadTarget
    ) -> DeliveryDecision {
        do {
            // What came before there was a file.
            if !buffer.isEmpty { try target.write(buffer.span) }
            buffer = []
            try target.write(bytes)
            return .proceed
        } catch {
            self.error = .fileWriteFailed(error)
            return .cancel
        }
    }

    /// Makes room at once for what a server announces, within bounds.
    private mutating func prepareBuffer(for count: Int) {
        let length = head?.contentLength
        if buffer.capacity == 0,
            length.map({ $0 <= SpareMemory.most }) ?? (count <= SpareMemory.most)
        {
            buffer = handle?.loop?.spareMemory.take() ?? []
        }
        guard collectLimit == nil, let length, length > count else { return }
        // A window is closed by the piece that fills it, which may not fit in.
        buffer.reserveCapacity(Int(Swift.min(length, Int64(window + 16 * 1024))))
    }

    /// Makes room for more of a body that is kept as a whole.
    private mutating func prepareCollecting(of count: Int, upTo limit: Int) {
        let room = AnnouncedRoom.capacity(
            expected: Swift.min(head?.contentLength ?? 0, Int64(limit)),
            held: buffer.count,
            adding: count
        )
        if let room { buffer.reserveCapacity(room) }
    }

    /// The transfer is over. Whoever waits is told at the end of the turn.
    mutating func complete(with error: TransportError?) {
        isComplete = true
        // The response may be kept for long.
        (lent, spare, target) = ([], [], nil)
        if self.error == nil { self.error = error }
    }

    /// When the waiting task is to be woken.
    enum Urgency {
        case none
        case now
        case whenQuiet
        case afterPause
    }

    /// When the task that waits is to be woken, if one does, now that a turn has brought something.
    ///
    /// The reader of a large body isn't woken for each piece of it, but for half of the window: it
    /// would be done with a piece before the next one comes, at the price of two changes of threads.
    /// Of a long one also what isn't there yet is waited for, a moment.
    mutating func urgency() -> Urgency {
        guard headWaiter != nil || bodyWaiter != nil, !isWriting else { return .none }
        let isFlowing = buffer.count >= Self.flow && buffer.count < window / 2
        guard headWaiter == nil, !isComplete, isFlowing else { return .now }
        guard !isWokenWhenQuiet else { return .none }
        isWokenWhenQuiet = true
        return handedOut >= window ? .afterPause : .whenQuiet
    }

    /// Which waiting task can be told something now.
    mutating func wakeUp() -> WakeUp {
        isWokenWhenQuiet = false
        if headWaiter != nil {
            guard head != nil || isComplete, let waiter = headWaiter.take() else { return .nobody }
            return .head(waiter)
        }
        guard hasAnswer, let waiter = bodyWaiter.take() else { return .nobody }
        return .body(waiter)
    }

    /// Whether a reader would be told something now.
    private var hasAnswer: Bool {
        if isComplete { return true }
        if isWriting { return false }
        guard let collectLimit, !takesChunksElsewhere else { return !buffer.isEmpty }
        return buffer.count > collectLimit || announcesMore(than: collectLimit)
    }

    /// Whether the loop writes what comes.
    private var isWriting: Bool { target != nil }

    // MARK: The reading task

    /// Lets the loop write what comes from now on, if anything does. Answers the transfer where it had
    /// been stopped.
    mutating func write(to target: DownloadTarget) -> TransferHandle? {
        guard !isComplete else { return nil }
        self.target = target
        return resumed()
    }

    struct Taken {
        /// Nil where there is nothing to tell yet.
        var result: Result<[UInt8]?, TransportError>?
        /// Where the flow was stopped and may go on.
        var resume: TransferHandle?
    }

    /// What the task is told that has waited for the head.
    mutating func takeHead() throws(TransportError) -> ResponseHead {
        guard var head else { throw error ?? .emptyExchange }
        self.head = nil
        var memory = head.moveOut()
        handle?.loop?.spareMemory.takeBack(&memory)
        self.head = head
        return head
    }

    /// What a reader that waits, or would, is told now.
    mutating func answerReader() -> Taken {
        let hasFailed = isComplete && error != nil
        guard takesChunksElsewhere, !buffer.isEmpty, !hasFailed, !isWriting else {
            return takeChunk()
        }
        return Taken(result: .success([]))
    }

    /// Takes what there is.
    mutating func takeChunk() -> Taken {
        if isComplete {
            if let collectLimit, buffer.count > collectLimit, error == nil {
                error = tooLarge(collectLimit)
            }
            if let error { return Taken(result: .failure(error)) }
            guard !buffer.isEmpty else { return Taken(result: .success(nil)) }
            return Taken(result: .success(takeBuffer()))
        }
        guard let collectLimit else {
            guard !buffer.isEmpty, !isWriting else { return Taken(resume: resumed()) }
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
        handedOut += buffer.count
        guard buffer.count > SpareMemory.most else { return takeBuffer() }
        let size = lent.capacity
        lent.removeAll(keepingCapacity: true)
        // If somebody has, that made a new one; by whole pages larger, where it has pages of its own.
        if lent.capacity > size { lent = [] }
        swap(&spare, &lent)
        lent = takeBuffer()
        return lent
    }

    /// What has come, in memory of the task's own where that is little.
    private mutating func takeBuffer() -> [UInt8] {
        defer { buffer = [] }
        guard buffer.count <= SpareMemory.most, let loop = handle?.loop else { return buffer }
        let copy = [UInt8](copying: buffer.span)
        loop.spareMemory.takeBack(&buffer)
        return copy
    }

    /// Takes who waits for the head and keeps it until there is something to tell, unless there is now.
    mutating func keep(_ waiter: inout HeadWaiter?) {
        guard head == nil, !isComplete else { return }
        headWaiter = waiter.take()
    }

    /// Takes a reader and keeps it until there is something to tell; or answers what it is to be
    /// resumed with at once.
    mutating func keep(_ reader: inout BodyWaiter?) -> Bool? {
        guard !hasAnswer else { return true }
        guard bodyWaiter == nil else { return false }
        bodyWaiter = reader.take()
        return nil
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
    enum WakeUp: ~Copyable {
        case nobody
        case head(HeadWaiter)
        case body(BodyWaiter)

        consuming func run() {
            switch consume self {
            case .nobody:
                break
            case .head(let waiter):
                waiter.resume(returning: ())
            case .body(let waiter):
                waiter.resume(returning: true)
            }
        }
    }
}

extension TransportError {
    /// Can't happen as long as every transfer that succeeds has a head.
    fileprivate static let emptyExchange = TransportError.invalidResponse("there was no response")

    static let bodyReadTwice = TransportError.invalidRequest(
        "two tasks read the same response body; only one may"
    )
}
