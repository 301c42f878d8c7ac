/// What a task has yet to tell, and in which order, as a pure value: facts in, steps out.
///
/// However the facts come, the steps keep their order; while an answer is awaited, there is none; and
/// the completion is the last, told once.
struct TaskDelivery {
    enum Step: Equatable {
        /// There is no way to the server, and the task waits for one.
        case waiting
        /// What came before the response.
        case informational
        /// The delegate is asked something; its answer is awaited.
        case question
        /// Progress of the request's body.
        case sentBytes
        /// The response's head. If the task hasn't failed by then, the disposition is awaited.
        case response
        /// The task has become another one.
        case conversion
        /// A WebSocket is open.
        case opening
        /// A WebSocket's other end has closed it.
        case closing
        /// Nothing more is written to a stream.
        case writeClosing
        /// Nothing more is read from a stream.
        case readClosing
        /// A stream task's connection can be given away.
        case capture
        /// What has come of the content.
        case bytes
        /// The response could be cached; what becomes of that is awaited.
        case proposal
        /// The task has come to an end, and somebody decides whether it is the end; that is awaited.
        case verdict
        /// The content is complete, in a file.
        case file
        case metrics
        case completion
    }

    private var hasWaiting = false
    private var hasInformational = false
    private var hasQuestion = false
    private var hasSentBytes = false
    private var hasResponse = false
    private var hasConversion = false
    private var hasOpening = false
    private var hasClosing = false
    private var hasWriteClosing = false
    private var hasReadClosing = false
    private var hasCapture = false
    private var hasBytes = false
    private var hasProposal = false
    private var hasFile = false
    private var hasEnded = false
    private var hasFailed = false
    private var hasToldMetrics = false
    /// Whether somebody is there who is told of metrics.
    var tellsMetrics = true
    /// Whether somebody decides whether the task's end is the end.
    var asksForVerdict = false
    private(set) var isAwaitingAnswer = false
    /// Which question is open, or was last, from 1: what answers another one doesn't count.
    private(set) var questionNumber = 0
    private(set) var isAwaitingStorage = false
    /// The completion was told.
    private(set) var isOver = false

    // MARK: Facts

    mutating func noteWaiting() {
        if !hasEnded { hasWaiting = true }
    }

    mutating func noteInformational() {
        if !hasEnded { hasInformational = true }
    }

    mutating func noteQuestion() {
        if !hasEnded { hasQuestion = true }
    }

    mutating func noteSentBytes() {
        if !hasEnded { hasSentBytes = true }
    }

    mutating func noteResponse() {
        if !hasEnded { hasResponse = true }
    }

    /// The task goes on as another one, even if all had come by then.
    mutating func noteConversion() {
        guard !hasFailed else { return }
        (hasConversion, hasEnded) = (true, false)
    }

    mutating func noteOpening() {
        if !hasEnded { hasOpening = true }
    }

    mutating func noteClosing() {
        if !hasEnded { hasClosing = true }
    }

    mutating func noteWriteClosing() {
        if !hasEnded { hasWriteClosing = true }
    }

    mutating func noteReadClosing() {
        if !hasEnded { hasReadClosing = true }
    }

    mutating func noteCapture() {
        if !hasEnded { hasCapture = true }
    }

    /// The connection was given away: nothing more is told.
    mutating func noteRelease() {
        (hasEnded, isOver) = (true, true)
    }

    mutating func noteBytes() {
        if !hasEnded { hasBytes = true }
    }

    mutating func noteProposal() {
        if !hasEnded { hasProposal = true }
    }

    mutating func noteFile() {
        if !hasEnded { hasFile = true }
    }

    /// The task has come to its end. What an answer would decide isn't told any more if it failed.
    mutating func noteEnd(hasFailed: Bool) {
        guard !hasEnded else { return }
        hasEnded = true
        self.hasFailed = hasFailed
        guard hasFailed else { return }
        if isAwaitingAnswer || hasQuestion { dropAll() }
    }

    /// The task was cancelled, and what ends it is on its way: until then nothing is told.
    mutating func dropAll() {
        (hasWaiting, hasQuestion, hasSentBytes) = (false, false, false)
        (hasInformational, hasResponse) = (false, false)
        (hasConversion, hasBytes, hasFile) = (false, false, false)
        (hasOpening, hasClosing) = (false, false)
        (hasWriteClosing, hasReadClosing, hasCapture) = (false, false, false)
        (hasProposal, isAwaitingAnswer, isAwaitingStorage) = (false, false, false)
    }

    /// The task was cancelled: nothing but metrics and completion follows.
    mutating func noteCancellation() {
        dropAll()
        hasEnded = true
        hasFailed = true
        asksForVerdict = false
    }

    /// The end wasn't the end: the task begins as if it hadn't begun before.
    mutating func noteAnotherAttempt() {
        guard !isOver else { return }
        dropAll()
        (hasEnded, hasFailed, asksForVerdict) = (false, false, true)
    }

    /// Nobody is there to be asked, and the answer comes from elsewhere. False without a question.
    mutating func takeQuestion() -> Bool {
        guard hasQuestion, !isAwaitingAnswer else { return false }
        hasQuestion = false
        awaitAnswer()
        return true
    }

    private mutating func awaitAnswer() {
        isAwaitingAnswer = true
        questionNumber += 1
    }

    /// An answer has come, and is acted upon. False if it isn't awaited.
    ///
    /// - Parameter number: Of the question that it answers.
    mutating func answer(to number: Int) -> Bool {
        guard isAwaitingAnswer, number == questionNumber else { return false }
        isAwaitingAnswer = false
        return true
    }

    /// Whether a question is open; always for `nil`.
    func isAwaitingAnswer(to number: Int?) -> Bool {
        number.map { isAwaitingAnswer && $0 == questionNumber } ?? true
    }

    /// The answer about what could be cached has come. False if none is awaited.
    mutating func answerProposal() -> Bool {
        guard isAwaitingStorage else { return false }
        isAwaitingStorage = false
        return true
    }

    /// What isn't told of what is loaded over HTTP.
    private var hasConnectionNews: Bool {
        hasOpening || hasClosing || hasWriteClosing || hasReadClosing || hasCapture
    }

    private mutating func nextConnectionNews() -> Step? {
        if hasOpening {
            hasOpening = false
            return .opening
        }
        if hasClosing {
            hasClosing = false
            return .closing
        }
        if hasWriteClosing {
            hasWriteClosing = false
            return .writeClosing
        }
        if hasReadClosing {
            hasReadClosing = false
            return .readClosing
        }
        hasCapture = false
        return .capture
    }

    // MARK: Steps

    /// Whether ``next()`` has a step.
    var hasNext: Bool {
        guard !isOver else { return false }
        if hasSentBytes { return true }
        guard !isAwaitingAnswer, !isAwaitingStorage else { return false }
        return hasWaiting || hasInformational || hasQuestion || hasResponse || hasConversion
            || hasConnectionNews || hasBytes || hasProposal
            || hasFile || hasEnded
    }

    /// What is to be told now; `nil` for nothing.
    mutating func next() -> Step? {
        guard !isOver else { return nil }
        if hasSentBytes {
            hasSentBytes = false
            return .sentBytes
        }
        guard !isAwaitingAnswer, !isAwaitingStorage else { return nil }
        if hasWaiting {
            hasWaiting = false
            return .waiting
        }
        if hasInformational {
            hasInformational = false
            return .informational
        }
        if hasQuestion {
            hasQuestion = false
            awaitAnswer()
            return .question
        }
        if hasResponse {
            hasResponse = false
            if !hasFailed { awaitAnswer() }
            return .response
        }
        if hasConversion {
            hasConversion = false
            return .conversion
        }
        if hasConnectionNews { return nextConnectionNews() }
        if hasBytes {
            hasBytes = false
            return .bytes
        }
        if hasProposal {
            (hasProposal, isAwaitingStorage) = (false, true)
            return .proposal
        }
        if hasEnded, asksForVerdict {
            asksForVerdict = false
            awaitAnswer()
            return .verdict
        }
        if hasFile {
            hasFile = false
            return .file
        }
        guard hasEnded else { return nil }
        guard hasToldMetrics || !tellsMetrics else {
            hasToldMetrics = true
            return .metrics
        }
        isOver = true
        return .completion
    }
}
