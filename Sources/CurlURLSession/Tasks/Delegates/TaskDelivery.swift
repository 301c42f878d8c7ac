/// Orders a task's deliveries, as a pure value: facts in, steps out.
///
/// The order of the steps is fixed, in whatever order the facts arrive. While an answer is awaited,
/// only progress of the body is delivered. The completion is the last step, and delivered once.
struct TaskDelivery {
    /// The steps, in the order of their delivery.
    enum Step: UInt32 {
        /// Progress of the request's body.
        case sentBytes
        /// The task waits for connectivity.
        case waiting
        /// Informational responses before the final one.
        case informational
        /// A question to the delegate; the task waits for the answer.
        case question
        /// The response's head. Unless the task has already failed, it waits for the disposition.
        case response
        /// The data task has become a download task.
        case conversion
        /// The WebSocket is open.
        case opening
        /// The WebSocket's peer has closed it.
        case closing
        /// The stream's writing side is closed.
        case writeClosing
        /// The stream's reading side is closed.
        case readClosing
        /// The stream task's connection can be handed over.
        case capture
        /// Bytes of the body.
        case bytes
        /// The response may be cached; the task waits for the decision.
        case proposal
        /// The attempt has ended. The task waits for the interceptor's decision to complete or
        /// retry.
        case disposition
        /// The body is complete, in a file.
        case file
        case metrics
        case completion
    }

    /// The steps that facts have made due, a bit for each. The lowest one is delivered first.
    private struct Steps {
        private var bits: UInt32 = 0

        var first: Step? { Step(rawValue: UInt32(bits.trailingZeroBitCount)) }

        func contains(_ step: Step) -> Bool { bits >> step.rawValue & 1 == 1 }

        mutating func insert(_ step: Step) { bits |= 1 << step.rawValue }

        mutating func remove(_ step: Step) { bits &= ~(1 << step.rawValue) }
    }

    private var due = Steps()
    private var hasEnded = false
    private var hasFailed = false
    private var hasDeliveredMetrics = false
    /// Whether a delegate gets the metrics.
    var deliversMetrics = true
    /// Whether the interceptor is asked at the end.
    var asksForDisposition = false
    private(set) var isAwaitingAnswer = false
    /// The number of the current or last question, from 1. Answers to other questions are ignored.
    private(set) var questionNumber = 0
    private(set) var isAwaitingStorage = false
    /// Whether the WebSocket's closing and all later steps are held back.
    private var holdsClosing = false
    /// Whether the completion was delivered.
    private(set) var isOver = false

    // MARK: Facts

    /// Records a fact that makes a step due. After the end, nothing is due any more.
    mutating func note(_ step: Step) {
        // The end makes the other steps due.
        assert(step.rawValue < Step.disposition.rawValue || step == .file, "\(step) is no fact")
        if !hasEnded { due.insert(step) }
    }

    /// Holds back the WebSocket's closing and all later steps, also the completion.
    mutating func holdClosing() {
        if !hasEnded { holdsClosing = true }
    }

    mutating func releaseClosing() { holdsClosing = false }

    /// The task continues as a download task, also after its last event.
    mutating func noteConversion() {
        guard !hasFailed else { return }
        assert(!isOver, "a completed task became a download")
        hasEnded = false
        due.insert(.conversion)
    }

    /// The connection was handed over: no further step follows.
    mutating func noteRelease() {
        (hasEnded, isOver) = (true, true)
    }

    /// Records the end. If the task has failed, steps that depend on an unanswered question are
    /// dropped.
    mutating func noteEnd(hasFailed: Bool) {
        guard !hasEnded else { return }
        hasEnded = true
        self.hasFailed = hasFailed
        guard hasFailed else { return }
        if isAwaitingAnswer || due.contains(.question) { dropAll() }
    }

    /// The task was cancelled. No step follows until its end.
    mutating func dropAll() {
        due = Steps()
        (isAwaitingAnswer, isAwaitingStorage, holdsClosing) = (false, false, false)
    }

    /// Records a cancellation: only metrics and completion follow.
    mutating func noteCancellation() {
        dropAll()
        hasEnded = true
        hasFailed = true
        asksForDisposition = false
    }

    /// Resets the deliveries for another attempt.
    mutating func noteAnotherAttempt() {
        guard !isOver else { return }
        dropAll()
        (hasEnded, hasFailed, asksForDisposition) = (false, false, true)
    }

    // MARK: Questions

    /// Takes the question for a default answer, because there is no delegate. Returns false without
    /// a question.
    mutating func takeQuestion() -> Bool {
        guard due.contains(.question), !isAwaitingAnswer else { return false }
        due.remove(.question)
        awaitAnswer()
        return true
    }

    private mutating func awaitAnswer() {
        isAwaitingAnswer = true
        questionNumber += 1
    }

    /// Accepts an answer. Returns false if it isn't awaited.
    ///
    /// - Parameter number: The question that is answered.
    mutating func answer(to number: Int) -> Bool {
        guard isAwaitingAnswer, number == questionNumber else { return false }
        isAwaitingAnswer = false
        return true
    }

    /// Whether the question is unanswered; always true for `nil`.
    func isAwaitingAnswer(to number: Int?) -> Bool {
        number.map { isAwaitingAnswer && $0 == questionNumber } ?? true
    }

    /// Accepts the answer to a cache proposal. Returns false if none is awaited.
    mutating func answerProposal() -> Bool {
        guard isAwaitingStorage else { return false }
        isAwaitingStorage = false
        return true
    }

    // MARK: Steps

    /// Whether ``next()`` would return a step.
    var hasNext: Bool { nextStep != nil }

    /// Whether ``next()`` would return a step other than progress of the body.
    var hasNextExceptBytes: Bool { nextStep.map { $0 != .bytes } ?? false }

    /// Takes the next step; `nil` if there is none.
    mutating func next() -> Step? {
        guard let step = nextStep else { return nil }
        due.remove(step)
        switch step {
        case .question: awaitAnswer()
        case .response: if !hasFailed { awaitAnswer() }
        case .proposal: isAwaitingStorage = true
        case .disposition:
            asksForDisposition = false
            awaitAnswer()
        case .metrics: hasDeliveredMetrics = true
        case .completion: isOver = true
        default: break
        }
        return step
    }

    private var nextStep: Step? {
        guard !isOver else { return nil }
        if due.contains(.sentBytes) { return .sentBytes }
        guard !isAwaitingAnswer, !isAwaitingStorage else { return nil }
        if let first = due.first, first.rawValue < Step.disposition.rawValue {
            return first == .closing && holdsClosing ? nil : first
        }
        if hasEnded, asksForDisposition { return .disposition }
        if due.contains(.file) { return .file }
        guard hasEnded else { return nil }
        return hasDeliveredMetrics || !deliversMetrics ? .completion : .metrics
    }
}
