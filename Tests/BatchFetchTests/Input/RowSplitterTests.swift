import Testing

@testable import BatchFetch

@Suite struct RowSplitterTests {
    private func rows(
        _ text: String,
        separator: Character = ",",
        pieces: Int = .max,
        maximumLength: Int = 100
    ) -> [InputRecord] {
        var splitter = RowSplitter(
            separator: separator.asciiValue ?? 0,
            maximumLength: maximumLength
        )
        var rows: [InputRecord] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            splitter.split(Array(rest.prefix(pieces)), into: &rows)
            rest = rest.dropFirst(pieces)
        }
        splitter.finish(into: &rows)
        return rows
    }

    private func row(_ line: Int, _ fields: String...) -> InputRecord {
        InputRecord(line: line, content: .row(fields))
    }

    @Test(arguments: [1, 2, 3, 1000])
    func rowsAreTheSameHoweverTheBytesAreSplit(size: Int) {
        let text = "\u{FEFF}a,b\r\n\n\"x,\"\"y\"\"\r\nz\",2\r\n,\nlast"
        #expect(
            rows(text, pieces: size) == [
                row(1, "a", "b"), row(3, "x,\"y\"\r\nz", "2"), row(5, "", ""), row(6, "last"),
            ]
        )
    }

    @Test func tabsSeparateFieldsInTSV() {
        #expect(
            rows("a\tb,c\n\"d\te\"\t", separator: "\t") == [row(1, "a", "b,c"), row(2, "d\te", "")]
        )
    }

    @Test func damagedRowDoesNotAffectOthers() {
        let all = rows("a\n\"x\"y,\nb\n")
        #expect(all.first == row(1, "a") && all.last == row(3, "b") && all.count == 3)
        guard case .damaged(let reason) = all[1].content else { return #expect(Bool(false)) }
        #expect(reason.contains("double the quotes") && all[1].line == 2)
    }

    @Test func unclosedQuoteIsReportedAtItsOpening() {
        let all = rows("a\n\"x\ny\nz")
        #expect(all.count == 2 && all[1].line == 2)
        #expect(all[1].content == .damaged("a quote that is opened here is never closed"))
    }

    @Test(arguments: [1, 1000])
    func tooLongRowIsReportedAndTheNextIsRead(size: Int) {
        let long = String(repeating: "x", count: 50)
        let all = rows("a\n\"\(long)\nb\nc", pieces: size, maximumLength: 20)
        #expect(all.count == 4 && all[0] == row(1, "a") && all[2] == row(3, "b"))
        guard case .damaged(let reason) = all[1].content else { return #expect(Bool(false)) }
        #expect(reason.contains("more than 20 bytes"))
    }

    @Test func emptyInputHasNoRows() {
        #expect(rows("").isEmpty)
        #expect(rows("\r\n\n").isEmpty)
    }
}
