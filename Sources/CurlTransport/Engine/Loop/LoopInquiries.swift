internal import Synchronization

/// A task's question for the statistics of a loop, which is answered once.
final class LoopInquiry: Sendable {
    enum Answer: Sendable {
        case snapshot(LoopSnapshot)
        /// The loop has ended.
        case ended
        /// The loop didn't answer in time.
        case late
    }

    private struct State {
        var answer: Answer?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Answers. Later answers change nothing.
    func resolve(_ answer: Answer) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.answer == nil else { return nil }
            state.answer = answer
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits for the answer. Only one task may.
    func answer() async -> Answer {
        await withCheckedContinuation { waiter in
            let isAnswered = state.withLock { state in
                if state.answer == nil { state.waiter = waiter }
                return state.answer != nil
            }
            if isAnswered { waiter.resume() }
        }
        return state.withLock { $0.answer } ?? .ended
    }
}

/// The questions to one loop, and its last answer.
///
/// At most one command for statistics is in the loop's mailbox, however often a blocked loop is
/// asked. The loop's answer is for the questions that are older than the command, so that it
/// includes what the same task has posted before.
final class LoopInquiries: Sendable {
    private struct State {
        /// The loop's last answer.
        var last: LoopSnapshot?
        /// The questions that the posted command answers.
        var posted: [LoopInquiry] = []
        /// Those that the next command answers.
        var waiting: [LoopInquiry] = []
        var isPosted = false
    }

    private let state = Mutex(State())

    /// Adds a question. Returns whether the caller must post a command.
    func add(_ inquiry: LoopInquiry) -> Bool {
        state.withLock { state in
            guard !state.isPosted else {
                state.waiting.append(inquiry)
                return false
            }
            state.isPosted = true
            state.posted.append(inquiry)
            return true
        }
    }

    /// The command is carried out. Returns whether another one must be posted.
    ///
    /// - Parameter snapshot: nil if the loop has ended.
    func answer(_ snapshot: LoopSnapshot?) -> Bool {
        let (answered, isPosted) = state.withLock { state in
            var answered = state.posted
            state.posted = state.waiting
            state.waiting = []
            if let snapshot {
                state.last = snapshot
            } else {
                answered += state.posted
                state.posted = []
            }
            state.isPosted = !state.posted.isEmpty
            return (answered, state.isPosted)
        }
        let answer = snapshot.map { LoopInquiry.Answer.snapshot($0) } ?? .ended
        for inquiry in answered { inquiry.resolve(answer) }
        return isPosted
    }

    /// Removes a question that wasn't answered in time. Returns the last answer, if there is one.
    func withdraw(_ inquiry: LoopInquiry) -> LoopSnapshot? {
        state.withLock { state in
            state.posted.removeAll { $0 === inquiry }
            state.waiting.removeAll { $0 === inquiry }
            return state.last
        }
    }
}
