internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

extension TaskDelivery {
    /// Answers the pending question.
    fileprivate mutating func answer() -> Bool {
        answer(to: questionNumber)
    }
}

@Suite struct TaskDeliveryTests {
    private func steps(_ delivery: inout TaskDelivery) -> [TaskDelivery.Step] {
        var steps: [TaskDelivery.Step] = []
        while delivery.hasNext, let step = delivery.next() { steps.append(step) }
        #expect(delivery.next() == nil)
        return steps
    }

    @Test func stepsKeepTheirOrderInAnyOrderOfFacts() {
        var delivery = TaskDelivery()
        delivery.note(.response)
        delivery.note(.bytes)
        delivery.note(.sentBytes)
        #expect(steps(&delivery) == [.sentBytes, .response])
        #expect(delivery.isAwaitingAnswer)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery).isEmpty)
        #expect(delivery.answer() == true)
        #expect(delivery.answer() == false)
        #expect(steps(&delivery) == [.bytes, .metrics, .completion])
        #expect(delivery.isOver)
    }

    @Test func answerToAnotherQuestionIsIgnored() {
        var delivery = TaskDelivery()
        delivery.note(.question)
        #expect(steps(&delivery) == [.question])
        let first = delivery.questionNumber
        #expect(delivery.answer(to: first) == true)
        delivery.note(.question)
        #expect(delivery.takeQuestion() == true)
        #expect(delivery.answer(to: first) == false)
        let second = delivery.questionNumber
        delivery.note(.response)
        #expect(delivery.answer(to: second) == true)
        #expect(steps(&delivery) == [.response])
        #expect(delivery.answer(to: second) == false)
        #expect(delivery.answer() == true)
    }

    @Test func dispositionIsRequestedBetweenBytesAndFile() {
        var delivery = TaskDelivery()
        delivery.asksForDisposition = true
        delivery.note(.bytes)
        delivery.note(.file)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .disposition])
        #expect(delivery.isAwaitingAnswer)
        #expect(delivery.answer() == true)
        #expect(steps(&delivery) == [.file, .metrics, .completion])
    }

    @Test func anotherAttemptRepeatsDeliveriesButNotMetrics() {
        var delivery = TaskDelivery()
        delivery.asksForDisposition = true
        delivery.note(.response)
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.response, .disposition])
        #expect(delivery.answer() == true)
        delivery.noteAnotherAttempt()
        #expect(steps(&delivery).isEmpty)
        delivery.note(.response)
        #expect(steps(&delivery) == [.response])
        #expect(delivery.answer() == true)
        delivery.note(.bytes)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .disposition])
        #expect(delivery.answer() == true)
        #expect(steps(&delivery) == [.metrics, .completion])
        delivery.noteAnotherAttempt()
        #expect(steps(&delivery).isEmpty)
    }

    @Test func cancellationSkipsTheDisposition() {
        var delivery = TaskDelivery()
        delivery.asksForDisposition = true
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.disposition])
        delivery.noteCancellation()
        #expect(delivery.answer() == false)
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func fileIsDeliveredBeforeMetrics() {
        var delivery = TaskDelivery()
        delivery.note(.bytes)
        delivery.note(.file)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .file, .metrics, .completion])
    }

    @Test func metricsAreSkippedWithoutADelegate() {
        var delivery = TaskDelivery()
        delivery.deliversMetrics = false
        delivery.note(.bytes)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .completion])
        #expect(delivery.isOver)
    }

    @Test func completionWaitsForTheCacheDecision() {
        var delivery = TaskDelivery()
        delivery.note(.bytes)
        delivery.note(.proposal)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .proposal])
        #expect(delivery.isAwaitingStorage)
        // The proposal is a separate question, with its own method for the answer.
        #expect(delivery.answer() == false)
        #expect(delivery.answerProposal() == true)
        #expect(delivery.answerProposal() == false)
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func cancellationDoesNotWaitForTheCacheDecision() {
        var delivery = TaskDelivery()
        delivery.note(.proposal)
        #expect(steps(&delivery) == [.proposal])
        delivery.noteCancellation()
        #expect(delivery.answerProposal() == false)
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func earlierEventsAreDeliveredBeforeTheResponse() {
        var delivery = TaskDelivery()
        delivery.note(.response)
        delivery.note(.informational)
        #expect(steps(&delivery) == [.informational, .response])
        delivery = TaskDelivery()
        delivery.note(.informational)
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func failureIsDeliveredAfterReceivedEvents() {
        var delivery = TaskDelivery()
        delivery.note(.response)
        delivery.note(.bytes)
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.response, .bytes, .metrics, .completion])
    }

    @Test func failureDoesNotWaitForAnAnswer() {
        var delivery = TaskDelivery()
        delivery.note(.question)
        #expect(steps(&delivery) == [.question])
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.metrics, .completion])
        #expect(delivery.answer() == false)
    }

    @Test func onlyTheEndFollowsACancellation() {
        var delivery = TaskDelivery()
        delivery.note(.response)
        delivery.note(.bytes)
        delivery.noteCancellation()
        delivery.note(.bytes)
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func cancelledTaskDeliversNothingBeforeItsEnd() {
        var delivery = TaskDelivery()
        delivery.note(.response)
        delivery.note(.bytes)
        #expect(steps(&delivery) == [.response])
        #expect(delivery.answer() == true)
        delivery.dropAll()
        #expect(steps(&delivery).isEmpty)
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func webSocketOpensBeforeItCloses() {
        var delivery = TaskDelivery()
        delivery.note(.closing)
        delivery.note(.opening)
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.opening, .closing, .metrics, .completion])
        delivery = TaskDelivery()
        delivery.note(.opening)
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test("A delayed close also delays the completion, unless the task is cancelled")
    func heldClosingHoldsTheCompletion() {
        var delivery = TaskDelivery()
        delivery.note(.opening)
        delivery.note(.closing)
        delivery.holdClosing()
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.opening])
        delivery.releaseClosing()
        #expect(steps(&delivery) == [.closing, .metrics, .completion])
        delivery = TaskDelivery()
        delivery.note(.closing)
        delivery.holdClosing()
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func capturedStreamTaskHasNoCompletion() {
        var delivery = TaskDelivery()
        delivery.note(.capture)
        delivery.note(.readClosing)
        #expect(steps(&delivery) == [.readClosing, .capture])
        delivery.noteRelease()
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery).isEmpty && delivery.isOver)
        // Unless the task has ended before.
        delivery = TaskDelivery()
        delivery.note(.capture)
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.capture, .metrics, .completion])
        delivery = TaskDelivery()
        delivery.note(.capture)
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func taskThatBecomesADownloadContinues() {
        var delivery = TaskDelivery()
        delivery.note(.response)
        #expect(steps(&delivery) == [.response])
        delivery.noteEnd(hasFailed: false)
        #expect(delivery.answer() == true)
        delivery.noteConversion()
        #expect(steps(&delivery) == [.conversion])
        delivery.note(.file)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.file, .metrics, .completion])
    }

    @Test func everyOrderOfEventsEndsInOneCompletion() {
        var random = SeededGenerator(seed: 23)
        for _ in 0..<5000 {
            var delivery = TaskDelivery()
            var events: [TaskDelivery.Step] = []
            for _ in 0..<20 {
                switch Int.random(in: 0..<16, using: &random) {
                case 0: delivery.note(.question)
                case 1: delivery.note(.sentBytes)
                case 2: delivery.note(.response)
                case 3: delivery.note(.bytes)
                case 4: delivery.noteEnd(hasFailed: Bool.random(using: &random))
                case 5: delivery.noteCancellation()
                case 6: _ = delivery.answer()
                case 7: delivery.note(.proposal)
                case 8: _ = delivery.answerProposal()
                case 9: delivery.note(.opening)
                case 10: delivery.note(.closing)
                case 11: delivery.note(.readClosing)
                case 12: delivery.note(.writeClosing)
                case 13: delivery.note(.informational)
                case 14: delivery.note(.capture)
                default: if let step = delivery.next() { events.append(step) }
                }
            }
            delivery.noteEnd(hasFailed: true)
            while !delivery.isOver {
                _ = delivery.answer()
                _ = delivery.answerProposal()
                if let step = delivery.next() { events.append(step) }
            }
            #expect(events.last == .completion)
            #expect(events.filter { $0 == .completion }.count == 1)
            #expect(events.filter { $0 == .metrics }.count == 1)
            #expect(events.dropLast().last == .metrics)
            #expect(!delivery.hasNext)
        }
    }
}
