internal import Testing

@testable internal import CurlTransport

@Suite struct LoopInquiriesTests {
    private let inquiries = LoopInquiries()

    private func snapshot(_ transfers: Int) -> LoopSnapshot {
        var loop = LoopStatistics(index: 0)
        loop.transfers = transfers
        return LoopSnapshot(loop: loop, origins: [])
    }

    /// The number of transfers in the answer; nil if there is none.
    private func transfers(_ inquiry: LoopInquiry) async -> Int? {
        if case .snapshot(let snapshot) = await inquiry.answer() {
            snapshot.loop.transfers
        } else {
            nil
        }
    }

    @Test("A question that comes after the command was posted gets the next answer")
    func laterQuestionGetsNextAnswer() async {
        let questions = (0..<3).map { _ in LoopInquiry() }
        #expect(questions.map { inquiries.add($0) } == [true, false, false])
        #expect(inquiries.answer(snapshot(1)))
        #expect(!inquiries.answer(snapshot(2)))
        #expect(await transfers(questions[0]) == 1)
        #expect(await transfers(questions[1]) == 2)
        #expect(await transfers(questions[2]) == 2)
        #expect(inquiries.add(LoopInquiry()))
    }

    @Test("Questions that are withdrawn post no further command, and learn the last answer")
    func withdrawnQuestionsPostNoCommand() async {
        let questions = (0..<3).map { _ in LoopInquiry() }
        #expect(questions.map { inquiries.add($0) } == [true, false, false])
        for question in questions { #expect(inquiries.withdraw(question)?.loop == nil) }
        #expect(!inquiries.answer(snapshot(1)))
        #expect(inquiries.withdraw(questions[0])?.loop.transfers == 1)
    }

    @Test("After the loop's end all questions are answered")
    func endAnswersAll() async {
        let questions = (0..<2).map { _ in LoopInquiry() }
        for question in questions { _ = inquiries.add(question) }
        #expect(!inquiries.answer(nil))
        for question in questions {
            guard case .ended = await question.answer() else {
                Issue.record("a question has no answer")
                continue
            }
        }
        #expect(inquiries.add(LoopInquiry()))
    }

    @Test("The first answer to a question counts")
    func firstAnswerCounts() async {
        let question = LoopInquiry()
        question.resolve(.late)
        question.resolve(.snapshot(snapshot(1)))
        #expect(await transfers(question) == nil)
    }
}
