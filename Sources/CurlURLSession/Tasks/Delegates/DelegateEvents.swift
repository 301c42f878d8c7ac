internal import CurlTransport
internal import DequeModule
internal import Foundation
internal import Synchronization

// Sendable by its parts: an `OperationQueue` may be used on any thread.
/// Serialises a session's calls to its delegate and completion handlers, in their order among other
/// work of the queue.
///
/// An event is delivered after everything that was added to the queue before it. So it needs an
/// operation of its own, unless nothing was added since the last operation of this type: then that
/// operation delivers the event, too, because scheduling one costs more than most of these calls.
/// What is added to an underlying queue can't be seen, and neither can barrier blocks of a queue
/// that isn't a ``DelegateQueue``; then each call has an operation.
final class DelegateEvents: Sendable {
    enum Event: Sendable {
        /// A task has events to deliver, which its core holds. A cancellation changes the task's
        /// number; then this event delivers nothing.
        case task(TaskCore, number: Int)
        case call(@Sendable () -> Void)
    }

    private struct Entry {
        let event: Event
        /// The first operation that may deliver it.
        let operation: Int
    }

    private struct State {
        var due = Deque<Entry>()
        /// The number of the last operation that was added to the queue.
        var lastAdded = 0
        /// The number of the last operation that has begun.
        var lastBegun = 0
        /// How many operations were added and haven't ended.
        var unended = 0
        /// The last operation that was added while others' work was in the queue. Until it has begun,
        /// the operations aren't counted: that takes time in proportion to their number.
        var lastCrowded = 0
        /// Whether an operation is delivering. On a concurrent queue, others may begin meanwhile.
        var isDelivering = false

        var isWorthCounting: Bool { unended > 0 && lastBegun >= lastCrowded }

        mutating func addOperation() -> Int {
            lastAdded += 1
            unended += 1
            return lastAdded
        }

        /// Returns false if another operation is delivering: that one delivers the rest.
        mutating func begin(_ operation: Int) -> Bool {
            lastBegun = max(lastBegun, operation)
            guard isDelivering else {
                isDelivering = true
                return true
            }
            unended -= 1
            return false
        }

        /// Takes the next event that an operation that has begun may deliver. If there is none, the
        /// operation ends.
        mutating func next() -> Event? {
            if let entry = due.first, entry.operation <= lastBegun {
                return due.removeFirst().event
            }
            end()
            return nil
        }

        mutating func end() {
            isDelivering = false
            unended -= 1
        }
    }

    let queue: OperationQueue
    /// The queue, if all of its work can be counted.
    private let countedQueue: DelegateQueue?
    private let state = Mutex(State())

    /// The number of steps of a task that are delivered before the session's other tasks have their
    /// turn.
    private static let share = 16

    /// - Parameter queue: Where all events are delivered; with `nil`, a new serial queue.
    init(queue: OperationQueue?) {
        let queue = queue ?? Self.serialQueue()
        self.queue = queue
        countedQueue = queue as? DelegateQueue
    }

    private static func serialQueue() -> OperationQueue {
        let queue = DelegateQueue()
        queue.name = "curl-session-delegate"
        return queue
    }

    /// Adds an event. May be called on any thread, also on the delegate queue.
    func append(_ event: Event) {
        // Counted before the lock is taken again: operations that this object adds in between only
        // come after what is counted.
        let count = state.withLock { $0.isWorthCounting } ? knownCount : nil
        let operation: Int? = state.withLock { state in
            let joins = state.unended > 0 && count.map { $0 <= state.unended } ?? false
            let operation = joins ? nil : state.addOperation()
            if !joins, state.unended > 1 { state.lastCrowded = state.lastAdded }
            state.due.append(Entry(event: event, operation: state.lastAdded))
            return operation
        }
        if let operation { add(operation) }
    }

    /// The number of operations and barrier blocks in the queue, also those that run; `nil` if work
    /// may be there that isn't counted.
    private var knownCount: Int? {
        guard let countedQueue else { return nil }
        // It is declared `unowned(unsafe)`; here it is only compared with nil.
        return unsafe countedQueue.underlyingQueue == nil ? countedQueue.workCount : nil
    }

    private func add(_ operation: Int) {
        queue.addOperation(DelegateOperation(QueuedDelivery(events: self, operation: operation)))
    }

    /// Delivers the events that are due up to an operation. Called by that operation.
    fileprivate func deliver(upTo operation: Int) {
        guard state.withLock({ $0.begin(operation) }) else { return }
        while !endIfSuspended(), let event = state.withLock({ $0.next() }) {
            switch event {
            case .task(let task, let number): deliver(task, number)
            case .call(let call): call()
            }
        }
    }

    /// Leaves the remaining events to another operation if the program has suspended the queue.
    private func endIfSuspended() -> Bool {
        guard queue.isSuspended else { return false }
        add(
            state.withLock { state in
                state.end()
                return state.addOperation()
            }
        )
        return true
    }

    private func deliver(_ task: TaskCore, _ number: Int) {
        for _ in 0..<Self.share {
            guard task.deliverStep(scheduledAs: number) else { return }
            // The call may have added work to the queue, which comes before the next step.
            guard !queue.isSuspended, isAlone else { break }
        }
        append(.task(task, number: number))
    }

    /// Whether the queue has no work of others.
    private var isAlone: Bool {
        // Read before the queue is counted: another thread may be about to add an operation, which
        // isn't in the queue yet, and would hide the work of others.
        let unended = state.withLock { $0.isWorthCounting ? $0.unended : 0 }
        guard unended > 0, let count = knownCount else { return false }
        return count <= unended
    }
}

/// What an operation delivers.
private struct QueuedDelivery: Sendable {
    let events: DelegateEvents
    let operation: Int
}

// `@unchecked Sendable`: its one stored property is constant, and of a type that the compiler
// proves to be `Sendable`; the superclass `Operation` may be used on any thread.
/// Delivers pending events of a session.
///
/// `cancel()` does nothing. The queue may belong to another component; when that cancels all its
/// operations, it must not lose the session's events, which callers would wait for forever.
private final class DelegateOperation: Operation, @unchecked Sendable {
    private let delivery: QueuedDelivery

    init(_ delivery: QueuedDelivery) {
        self.delivery = delivery
    }

    override func main() {
        delivery.events.deliver(upTo: delivery.operation)
    }

    override func cancel() {}
}

// Deliveries on the delegate queue.

extension TaskCore {
    /// Delivers the next step on the delegate queue. Returns whether another one is due.
    ///
    /// - Parameter number: The number of the delivery when the task was scheduled.
    func deliverStep(scheduledAs number: Int) -> Bool {
        guard let step = state.withLock({ $0.nextStep(scheduledAs: number) }) else { return false }
        deliver(step)
        // The call may have changed the state.
        advance()
        return step.step != .completion
            && state.withLock { $0.continuesDelivery(scheduledAs: number) }
    }

    private func deliver(_ step: TaskStep) {
        switch step.step {
        case .waiting: notifyWaiting(step)
        case .informational: notifyInformational(step)
        case .question: ask(step)
        case .sentBytes: notifySentBytes(step)
        case .response: notifyResponse(step)
        case .conversion: notifyConversion(step)
        case .opening: notifyOpening(step)
        case .closing: notifyClosing(step)
        case .writeClosing: notifyWriteClosing(step)
        case .readClosing: notifyReadClosing(step)
        case .capture: notifyCapture(step)
        case .bytes: notifyBytes(step)
        case .proposal: ask(aboutProposal: step)
        case .disposition: askForDisposition(step)
        case .file: notifyFile(step)
        case .metrics: notifyMetrics(step)
        case .completion: notifyCompletion()
        }
    }

    private func notifyWaiting(_ step: TaskStep) {
        step.delegates.task?.urlSession(step.session, taskIsWaitingForConnectivity: step.task)
    }

    private func notifySentBytes(_ step: TaskStep) {
        let counts = state.withLock { state in
            defer { state.counts.sentReported = state.counts.sent }
            return state.counts
        }
        guard counts.sent > counts.sentReported else { return }
        step.delegates.task?.urlSession(
            step.session,
            task: step.task,
            didSendBodyData: counts.sent - counts.sentReported,
            totalBytesSent: counts.sent,
            totalBytesExpectedToSend: counts.expectedToSend
        )
    }

    private func notifyResponse(_ step: TaskStep) {
        guard let response = state.withLock({ $0.exchange.response() }),
            let delegate = step.delegates.data,
            let task = step.task as? URLSessionDataTask
        else { return answer(to: step.number, .allow) }
        // A delegate may keep this closure. It only holds the task's core, which releases the
        // delegate at the end.
        delegate.urlSession(step.session, dataTask: task, didReceive: response) {
            [self, number = step.number] in
            answer(to: number, $0)
        }
        watchTimeout(step)
    }

    private func notifyConversion(_ step: TaskStep) {
        guard let former = state.withLock({ $0.kind.download?.former.take() }),
            let download = step.task as? URLSessionDownloadTask
        else { return }
        step.delegates.data?.urlSession(step.session, dataTask: former, didBecome: download)
    }

    private func notifyBytes(_ step: TaskStep) {
        let collector = step.delegates.collector
        let data = state.withLock { state -> Data? in
            guard !state.kind.isDownload else { return nil }
            guard collector == nil else { return Data() }
            // A Swift task that awaits the body gets all of it at the end.
            return state.consumer.isAwaited
                ? state.exchange.buffer.takeUnreported() : state.exchange.buffer.take()
        }
        guard let data else { return notifyProgress(step) }
        if let collector { return notifyCollected(step, collector) }
        if !data.isEmpty, let task = step.task as? URLSessionDataTask {
            step.delegates.data?.urlSession(step.session, dataTask: task, didReceive: data)
        }
        state.withLock { $0.reopenWindow() }
    }

    private func notifyCollected(_ step: TaskStep, _ collector: any URLSessionBodyCollector) {
        let range = state.withLock { $0.exchange.buffer.report() }
        if !range.isEmpty, let task = step.task as? URLSessionDataTask {
            collector.urlSession(
                step.session,
                dataTask: task,
                didCollect: { state.withLock { $0.exchange.buffer.copy(of: range) } }
            )
        }
        state.withLock { $0.reopenWindow() }
    }

    private func notifyProgress(_ step: TaskStep) {
        let progress = state.withLock { state in
            state.kind.download?.takeProgress(expected: state.counts.expectedToReceive)
        }
        guard let progress, let delegate = step.delegates.download,
            let task = step.task as? URLSessionDownloadTask
        else { return }
        if let offset = progress.resumedAt {
            delegate.urlSession(
                step.session,
                downloadTask: task,
                didResumeAtOffset: offset,
                expectedTotalBytes: progress.expected
            )
        }
        guard progress.written > 0 else { return }
        delegate.urlSession(
            step.session,
            downloadTask: task,
            didWriteData: progress.written,
            totalBytesWritten: progress.total,
            totalBytesExpectedToWrite: progress.expected
        )
    }

    /// Delivers the file to the delegate. Handlers get it with the completion.
    private func notifyFile(_ step: TaskStep) {
        let (file, isDelegates) = state.withLock {
            ($0.kind.download?.file, $0.consumer.isDelegate)
        }
        guard let file, isDelegates else { return }
        if let task = step.task as? URLSessionDownloadTask {
            step.delegates.download?.urlSession(
                step.session,
                downloadTask: task,
                didFinishDownloadingTo: file.url
            )
        }
        // Does nothing if the delegate has moved the file.
        try? FileManager.default.removeItem(at: file.url)
    }

    private func notifyMetrics(_ step: TaskStep) {
        guard let delegate = step.delegates.task else { return }
        let settings = step.session.core.settings
        let (transactions, created, redirectCount) = state.withLock { state in
            (state.exchange.takeTransactions(), state.clock.created, state.exchange.redirectCount)
        }
        let metrics = URLSessionTaskMetrics(
            transactionMetrics: transactions.map { $0.metrics(settings: settings) },
            taskInterval: DateInterval(start: created, end: max(created, Date())),
            redirectCount: redirectCount
        )
        delegate.urlSession(step.session, task: step.task, didFinishCollecting: metrics)
    }

    private func notifyCompletion() {
        let (handlers, resumeData) = state.withLock { $0.interruption.takeHandlers() }
        deliverResumeData(resumeData, to: handlers, nil)
        let (response, error, data, remains) = state.withLock { state in
            let data = state.consumer.isDataHandler ? state.exchange.buffer.take() : Data()
            return (state.exchange.response(), state.error, data, state.close())
        }
        guard let remains else { return }
        release(remains)
        switch remains.consumer {
        case .delegate:
            guard let session = remains.session, let task = remains.task else { return }
            remains.delegates.task?.urlSession(session, task: task, didCompleteWithError: error)
        case .dataHandler(let handler):
            handler(error == nil ? data : nil, response, error)
        case .fileHandler(let handler):
            let file = error == nil ? remains.file : nil
            handler(file?.url, response, error)
            if let file { try? FileManager.default.removeItem(at: file.url) }
        case .stream:
            guard let session = remains.session, let task = remains.task else { return }
            remains.ownDelegate.observer?.task(task, of: session, wasLoadedWith: error)
        case .awaited:
            break
        }
    }
}

/// One delivery on the delegate queue, and its delegates.
struct TaskStep: Sendable {
    let step: TaskDelivery.Step
    /// The number of the question, if the step is one.
    let number: Int
    let session: URLSession
    let task: URLSessionTask
    let delegates: TaskDelegates
}
