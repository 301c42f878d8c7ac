internal import HTTPTypes
internal import Posix

/// The state of one exchange of the asynchronous client, with its waiting tasks.
///
/// Events change it under the exchange's lock. The resulting actions are returned and carried out
/// without the lock. The one exception: bytes for a file in memory are written under the lock, as
/// buffering them would be.
///
/// Not copyable: there is one for each exchange.
struct ExchangeState: ~Copyable {
    typealias HeadWaiter = WaitingTask<Void>
    /// Resumed with false if another task is already waiting for the body.
    typealias BodyWaiter = WaitingTask<Bool>

    var request: HTTPRequest
    var handle: TransferHandle?
    /// Kept until the transfer completes, which may be after its client was released.
    var transport: Transport?
    private var head: ResponseHead?
    var metrics: TransferMetrics?
    var trailers: HTTPFields?
    private var headWaiter: HeadWaiter?
    /// If set, the whole body is collected, up to this number of bytes.
    var collectLimit: Int?
    /// Whether a reader is only notified, and the bytes are taken with ``takeChunk()``.
    var takesChunksElsewhere = false
    /// The file in memory that the loop writes the body to; nil to buffer it.
    private var target: DownloadTarget?
    var log = LogQueue()
    /// Released when the transfer completes.
    private(set) var hookTasks: CallerTasks?
    private(set) var isCancelled = false

    private var bodyWaiter: BodyWaiter?
    private var buffer: [UInt8] = []
    /// The last chunk that was handed out. After its reader has released it, its memory is reused
    /// for the chunk after the next, so that the system doesn't have to clear new pages.
    private var lent: [UInt8] = []
    private var reusable: [UInt8] = []
    private var isPaused = false
    private var isWakePending = false
    /// The total number of bytes handed out in chunks.
    private var handedOut = 0
    private var isComplete = false
    private var error: TransportError?
    private var isLogging = false

    /// The number of unread bytes at which the transfer is paused.
    private let window: Int
    /// If a turn buffers this many bytes, more are expected soon.
    private static let flow = 16 * 1024

    /// - Parameters:
    ///   - receiveBufferSize: how many bytes libcurl may deliver at once.
    ///   - hookTasks: runs the client's hooks; nil if none is called.
    init(request: HTTPRequest, receiveBufferSize: Int, hookTasks: CallerTasks? = nil) {
        self.request = request
        self.hookTasks = hookTasks
        // If one piece could fill the window, the loop and the reader would wait for each other in
        // turn.
        window = Swift.max(512 * 1024, 2 * receiveBufferSize)
    }

    // MARK: Loop events

    mutating func receive(_ head: ResponseHead, by transfer: TransferHandle) {
        self.head = head.copied(into: transfer.loop?.bufferPool.take() ?? [])
        // The task that started the transfer may not have stored the handle yet.
        handle = transfer
    }

    mutating func append(_ bytes: Span<UInt8>) -> DeliveryDecision {
        if let target { return write(bytes, to: target) }
        if buffer.isEmpty {
            swap(&buffer, &reusable)
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
        // A reader this slow must not cause more memory to be kept than the window.
        reusable = []
        return .pause
    }

    private mutating func write(
        _ bytes: Span<UInt8>,
        to target: DownloadTarget
    ) -> DeliveryDecision {
        do {
            // These bytes arrived before the file was opened.
            if !buffer.isEmpty { try target.write(buffer.span) }
            buffer = []
            try target.write(bytes)
            return .proceed
        } catch {
            self.error = .fileWriteFailed(error)
            return .cancel
        }
    }

    /// Reserves memory for the announced length, at most for the window.
    private mutating func prepareBuffer(for count: Int) {
        let length = head?.contentLength
        if buffer.capacity == 0,
            length.map({ $0 <= BufferPool.maximumCopied }) ?? (count <= BufferPool.maximumCopied)
        {
            buffer = handle?.loop?.bufferPool.take() ?? []
        }
        guard collectLimit == nil, let length, length > count else { return }
        // The piece that fills the window may exceed it.
        buffer.reserveCapacity(Int(Swift.min(length, Int64(window + 16 * 1024))))
    }

    /// Reserves memory for a body that is collected as a whole.
    private mutating func prepareCollecting(of count: Int, upTo limit: Int) {
        let room = BodyCapacityPolicy.capacity(
            expected: Swift.min(head?.contentLength ?? 0, Int64(limit)),
            held: buffer.count,
            adding: count
        )
        if let room { buffer.reserveCapacity(room) }
    }

    /// Completes the exchange. A waiting task is woken at the end of the turn.
    mutating func complete(with error: TransportError?) {
        isComplete = true
        // The response may be kept for a long time.
        (lent, reusable, target, hookTasks) = ([], [], nil, nil)
        if let own = self.error, let handle {
            self.error = own.ending(handle.id, metrics)
        } else if self.error == nil {
            self.error = error
        }
    }

    /// The end of the transfer for observers, before ``complete(with:)``.
    func end(of id: TransferID, with error: TransportError?) -> TransferEnd {
        TransferEnd(
            id: id,
            request: request,
            statusCode: head?.statusCode,
            metrics: metrics ?? TransferMetrics(),
            error: self.error.map { $0.ending(id, metrics) } ?? error
        )
    }

    /// When to wake the waiting task.
    enum Urgency {
        case none
        case now
        case whenIdle
        case afterPause
    }

    /// When to wake the waiting task, if any, after a turn that delivered something.
    ///
    /// The reader of a large body is woken for half a window instead of for each piece. It would be
    /// done with a piece before the next one arrives, at the cost of two thread switches. If the
    /// body is long, the loop also waits a moment for bytes that haven't arrived yet.
    mutating func urgency() -> Urgency {
        guard headWaiter != nil || bodyWaiter != nil, !isWriting else { return .none }
        let isFlowing = buffer.count >= Self.flow && buffer.count < window / 2
        guard headWaiter == nil, !isComplete, isFlowing else { return .now }
        guard !isWakePending else { return .none }
        isWakePending = true
        return handedOut >= window ? .afterPause : .whenIdle
    }

    /// Takes the waiting task that can be resumed now.
    mutating func wakeUp() -> WakeUp {
        isWakePending = false
        if headWaiter != nil {
            guard head != nil || isComplete, let waiter = headWaiter.take() else { return .noTask }
            return .head(waiter)
        }
        guard hasAnswer, let waiter = bodyWaiter.take() else { return .noTask }
        return .body(waiter)
    }

    /// Whether there is an answer for a reader now.
    private var hasAnswer: Bool {
        if isComplete { return true }
        if isWriting { return false }
        guard let collectLimit, !takesChunksElsewhere else { return !buffer.isEmpty }
        return buffer.count > collectLimit || announcesMore(than: collectLimit)
    }

    /// Whether the loop writes the body to a file.
    private var isWriting: Bool { target != nil }

    // MARK: Reading task

    /// Lets the loop write the rest of the body, unless the transfer has completed. Returns the
    /// transfer if it was paused.
    mutating func write(to target: DownloadTarget) -> TransferHandle? {
        guard !isComplete else { return nil }
        self.target = target
        return resumed()
    }

    struct Taken {
        /// Nil if the reader has to wait.
        var result: Result<[UInt8]?, TransportError>?
        /// The transfer to resume, if it was paused.
        var resume: TransferHandle?
    }

    /// Returns the head to the task that waited for it, or throws why there is none.
    mutating func takeHead() throws(TransportError) -> ResponseHead {
        // The head is changed in place: optimised code loses one that is taken out and put back.
        if var memory = head?.moveOut() { handle?.loop?.bufferPool.recycle(&memory) }
        guard let head else {
            assert(error != nil, "a transfer succeeded without a response head")
            throw error ?? .emptyExchange
        }
        return head
    }

    /// Returns the current answer for a reader that waits or would wait.
    mutating func answerReader() -> Taken {
        let hasFailed = isComplete && error != nil
        guard takesChunksElsewhere, !buffer.isEmpty, !hasFailed, !isWriting else {
            return takeChunk()
        }
        return Taken(result: .success([]))
    }

    /// Takes the buffered bytes.
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
        // Everything is kept until the end, so the transfer isn't paused. It is cancelled if the
        // body is already too large.
        guard buffer.count <= collectLimit, !announcesMore(than: collectLimit) else {
            error = tooLarge(collectLimit)
            isCancelled = true
            handle?.cancel()
            return Taken(result: error.map { .failure($0) })
        }
        return Taken(resume: resumed())
    }

    /// Hands out the buffer, and takes back the previous chunk if no reader holds it any more.
    private mutating func lend() -> [UInt8] {
        handedOut += buffer.count
        guard buffer.count > BufferPool.maximumCopied else { return takeBuffer() }
        let size = lent.capacity
        lent.removeAll(keepingCapacity: true)
        // If a reader holds it, `removeAll` allocated a new array, which is larger by whole pages
        // if it has pages of its own. Don't keep that.
        if lent.capacity > size { lent = [] }
        swap(&reusable, &lent)
        lent = takeBuffer()
        return lent
    }

    /// Takes the buffered bytes. Up to 4 KiB are copied into memory that the task allocates.
    private mutating func takeBuffer() -> [UInt8] {
        defer { buffer = [] }
        guard buffer.count <= BufferPool.maximumCopied, let loop = handle?.loop else {
            return buffer
        }
        let copy = [UInt8](copying: buffer.span)
        loop.bufferPool.recycle(&buffer)
        return copy
    }

    /// Takes and stores a task that waits for the head, unless it can be resumed now.
    mutating func keep(_ waiter: inout HeadWaiter?) {
        guard head == nil, !isComplete else { return }
        headWaiter = waiter.take()
    }

    /// Takes and stores a reader, and returns nil. If the reader isn't stored, returns the value to
    /// resume it with now.
    mutating func keep(_ reader: inout BodyWaiter?) -> Bool? {
        guard !hasAnswer else { return true }
        guard bodyWaiter == nil else { return false }
        bodyWaiter = reader.take()
        return nil
    }

    private func tooLarge(_ limit: Int) -> TransportError {
        var error = TransportError.responseTooLarge(limit: Int64(limit), url: request.url)
        error.transferID = handle?.id
        return error
    }

    /// Whether the head announces a body over the limit. False if the body will be decoded, because
    /// its decoded length is unknown.
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

    /// Cancels the exchange. Returns the transfer to cancel; nil if it has completed or was
    /// cancelled.
    mutating func cancel() -> TransferHandle? {
        guard !isCancelled, !isComplete else { return nil }
        isCancelled = true
        return handle
    }

    // MARK: Log

    mutating func startLogging() -> Bool {
        defer { isLogging = true }
        return !isLogging
    }

    mutating func takeLog() -> [TransferLogLine] {
        let lines = log.takeAll()
        isLogging = !lines.isEmpty
        return lines
    }

    /// A task to resume after the lock is released.
    enum WakeUp: ~Copyable {
        case noTask
        case head(HeadWaiter)
        case body(BodyWaiter)

        consuming func run() {
            switch consume self {
            case .noTask:
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
    /// Unreachable as long as every successful transfer has a head.
    fileprivate static let emptyExchange = TransportError.invalidResponse("there was no response")

    static let bodyReadTwice = TransportError.invalidRequest(
        "two tasks read the same response body; only one may"
    )
}
