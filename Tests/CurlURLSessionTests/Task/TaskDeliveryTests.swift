internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

extension TaskDelivery {
    /// Answers the question that is open.
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

    @Test func howeverFactsComeStepsKeepTheirOrder() {
        var delivery = TaskDelivery()
        delivery.noteResponse()
        delivery.noteBytes()
        delivery.noteSentBytes()
        #expect(steps(&delivery) == [.sentBytes, .response])
        #expect(delivery.isAwaitingAnswer)
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery).isEmpty)
        #expect(delivery.answer() == true)
        #expect(delivery.answer() == false)
        #expect(steps(&delivery) == [.bytes, .metrics, .completion])
        #expect(delivery.isOver)
    }

    @Test func whatAnswersAnotherQuestionDoesNotCount() {
        var delivery = TaskDelivery()
        delivery.noteQuestion()
        #expect(steps(&delivery) == [.question])
        let first = delivery.questionNumber
        #expect(delivery.answer(to: first) == true)
        delivery.noteQuestion()
        #expect(delivery.takeQuestion() == true)
        #expect(delivery.answer(to: first) == false)
        let second = delivery.questionNumber
        delivery.noteResponse()
        #expect(delivery.answer(to: second) == true)
        #expect(steps(&delivery) == [.response])
        #expect(delivery.answer(to: second) == false)
        #expect(delivery.answer() == true)
    }

    @Test func theVerdictComesAfterTheBytesAndBeforeTheFile() {
        var delivery = TaskDelivery()
        delivery.asksForVerdict = true
        delivery.noteBytes()
        delivery.noteFile()
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .verdict])
        #expect(delivery.isAwaitingAnswer)
        #expect(delivery.answer() == true)
        #expect(steps(&delivery) == [.file, .metrics, .completion])
    }

    @Test func anotherAttemptTellsAllAnewAndMetricsOnce() {
        var delivery = TaskDelivery()
        delivery.asksForVerdict = true
        delivery.noteResponse()
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.response, .verdict])
        #expect(delivery.answer() == true)
        delivery.noteAnotherAttempt()
        #expect(steps(&delivery).isEmpty)
        delivery.noteResponse()
        #expect(steps(&delivery) == [.response])
        #expect(delivery.answer() == true)
        delivery.noteBytes()
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .verdict])
        #expect(delivery.answer() == true)
        #expect(steps(&delivery) == [.metrics, .completion])
        delivery.noteAnotherAttempt()
        #expect(steps(&delivery).isEmpty)
    }

    @Test func nobodyDecidesAboutACancellation() {
        var delivery = TaskDelivery()
        delivery.asksForVerdict = true
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.verdict])
        delivery.noteCancellation()
        #expect(delivery.answer() == false)
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func theFileComesBeforeTheMetrics() {
        var delivery = TaskDelivery()
        delivery.noteBytes()
        delivery.noteFile()
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .file, .metrics, .completion])
    }

    @Test func nobodyIsToldOfMetricsWhoDoesNotWantThem() {
        var delivery = TaskDelivery()
        delivery.tellsMetrics = false
        delivery.noteBytes()
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .completion])
        #expect(delivery.isOver)
    }

    @Test func theEndWaitsForWhatIsStored() {
        var delivery = TaskDelivery()
        delivery.noteBytes()
        delivery.noteProposal()
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.bytes, .proposal])
        #expect(delivery.isAwaitingStorage)
        // It is another question than those that are answered otherwise.
        #expect(delivery.answer() == false)
        #expect(delivery.answerProposal() == true)
        #expect(delivery.answerProposal() == false)
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func aCancellationDoesNotWaitForWhatIsStored() {
        var delivery = TaskDelivery()
        delivery.noteProposal()
        #expect(steps(&delivery) == [.proposal])
        delivery.noteCancellation()
        #expect(delivery.answerProposal() == false)
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func whatCameBeforeTheResponseIsToldBeforeIt() {
        var delivery = TaskDelivery()
        delivery.noteResponse()
        delivery.noteInformational()
        #expect(steps(&delivery) == [.informational, .response])
        delivery = TaskDelivery()
        delivery.noteInformational()
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func aFailureIsToldAfterWhatHadCome() {
        var delivery = TaskDelivery()
        delivery.noteResponse()
        delivery.noteBytes()
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.response, .bytes, .metrics, .completion])
    }

    @Test func aFailureDoesNotWaitForAnAnswer() {
        var delivery = TaskDelivery()
        delivery.noteQuestion()
        #expect(steps(&delivery) == [.question])
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.metrics, .completion])
        #expect(delivery.answer() == false)
    }

    @Test func afterACancellationNothingButTheEndIsTold() {
        var delivery = TaskDelivery()
        delivery.noteResponse()
        delivery.noteBytes()
        delivery.noteCancellation()
        delivery.noteBytes()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func beforeTheEndOfACancelledTaskNothingIsTold() {
        var delivery = TaskDelivery()
        delivery.noteResponse()
        delivery.noteBytes()
        #expect(steps(&delivery) == [.response])
        #expect(delivery.answer() == true)
        delivery.dropAll()
        #expect(steps(&delivery).isEmpty)
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func aWebSocketOpensBeforeItCloses() {
        var delivery = TaskDelivery()
        delivery.noteClosing()
        delivery.noteOpening()
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.opening, .closing, .metrics, .completion])
        delivery = TaskDelivery()
        delivery.noteOpening()
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func whatWasGivenAwayHasNoCompletion() {
        var delivery = TaskDelivery()
        delivery.noteCapture()
        delivery.noteReadClosing()
        #expect(steps(&delivery) == [.readClosing, .capture])
        delivery.noteRelease()
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery).isEmpty && delivery.isOver)
        // Unless it has ended before.
        delivery = TaskDelivery()
        delivery.noteCapture()
        delivery.noteEnd(hasFailed: true)
        #expect(steps(&delivery) == [.capture, .metrics, .completion])
        delivery = TaskDelivery()
        delivery.noteCapture()
        delivery.noteCancellation()
        #expect(steps(&delivery) == [.metrics, .completion])
    }

    @Test func whatBecomesADownloadIsNotOver() {
        var delivery = TaskDelivery()
        delivery.noteResponse()
        #expect(steps(&delivery) == [.response])
        delivery.noteEnd(hasFailed: false)
        #expect(delivery.answer() == true)
        delivery.noteConversion()
        #expect(steps(&delivery) == [.conversion])
        delivery.noteFile()
        delivery.noteEnd(hasFailed: false)
        #expect(steps(&delivery) == [.file, .metrics, .completion])
    }

    @Test func everyOrderOfEventsEndsInOneCompletion() {
        var random = SeededGenerator(seed: 23)
        for _ in 0..<5000 {
            var delivery = TaskDelivery()
            var told: [TaskDelivery.Step] = []
            for _ in 0..<20 {
                switch Int.random(in: 0..<16, using: &random) {
                case 0: delivery.noteQuestion()
                case 1: delivery.noteSentBytes()
                case 2: delivery.noteResponse()
                case 3: delivery.noteBytes()
                case 4: delivery.noteEnd(hasFailed: Bool.random(using: &random))
                case 5: delivery.noteCancellation()
                case 6: _ = delivery.answer()
                case 7: delivery.noteProposal()
                case 8: _ = delivery.answerProposal()
                case 9: delivery.noteOpening()
                case 10: delivery.noteClosing()
                case 11: delivery.noteReadClosing()
                case 12: delivery.noteWriteClosing()
                case 13: delivery.noteInformational()
                case 14: delivery.noteCapture()
                default: if let step = delivery.next() { told.append(step) }
                }
            }
            delivery.noteEnd(hasFailed: true)
            while !delivery.isOver {
                _ = delivery.answer()
                _ = delivery.answerProposal()
                if let step = delivery.next() { told.append(step) }
            }
            #expect(told.last == .completion)
            #expect(told.filter { $0 == .completion }.count == 1)
            #expect(told.filter { $0 == .metrics }.count == 1)
            #expect(told.dropLast().last == .metrics)
            #expect(!delivery.hasNext)
        }
    }
}
