import Testing

@testable import BatchFetchCommand

@Suite struct TerminalTests {
    @Test(
        "As many lines are shown as fit above the line of the cursor",
        arguments: [(nil, 5), (24, 5), (6, 5), (5, 4), (2, 1), (1, 1)] as [(Int?, Int)]
    )
    func linesFitTheTerminal(rows: Int?, count: Int) {
        let lines = ["one", "two", "three", "four", "five"]
        #expect(Terminal.lines(lines, fitting: rows) == Array(lines.prefix(count)))
    }
}
