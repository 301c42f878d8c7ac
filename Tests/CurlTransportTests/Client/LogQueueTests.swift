internal import Testing

@testable internal import CurlTransport

struct LogQueueTests {
    private func line(_ text: String) -> TransferLogLine {
        TransferLogLine(kind: .remark, text: text)
    }

    @Test func linesKeepTheirOrder() {
        var queue = LogQueue()
        for number in 0..<LogQueue.maximumCount { queue.append(line("\(number)")) }
        #expect(queue.takeAll().map(\.text) == (0..<LogQueue.maximumCount).map { "\($0)" })
        #expect(queue.takeAll().isEmpty)
    }

    @Test(arguments: [(1, "1 line was dropped here"), (2, "2 lines were dropped here")])
    func oldestLinesBeyondLimitAreDroppedAndCounted(surplus: Int, prefix: String) {
        var queue = LogQueue()
        let count = LogQueue.maximumCount + surplus
        for number in 0..<count { queue.append(line("\(number)")) }
        let taken = queue.takeAll()
        #expect(taken[0].kind == .dropped)
        #expect(taken[0].text.hasPrefix(prefix))
        #expect(taken.dropFirst().map(\.text) == (surplus..<count).map { "\($0)" })
        // The number of dropped lines is reported once.
        queue.append(line("next"))
        #expect(queue.takeAll() == [line("next")])
    }

    @Test func longLinesAreLimitedByBytes() {
        var queue = LogQueue()
        let long = String(repeating: "x", count: LogQueue.maximumBytes / 4)
        for _ in 0..<10 { queue.append(line(long)) }
        let taken = queue.takeAll()
        #expect(taken.map(\.kind) == [.dropped, .remark, .remark, .remark, .remark])
        #expect(taken[0].text.hasPrefix("6 lines"))
        // The latest line is always kept.
        let longest = String(repeating: "y", count: 2 * LogQueue.maximumBytes)
        queue.append(line("short"))
        queue.append(line(longest))
        #expect(queue.takeAll().dropFirst() == [line(longest)])
    }
}
