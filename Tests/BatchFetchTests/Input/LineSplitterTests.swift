import Testing

@testable import BatchFetch

@Suite struct LineSplitterTests {
    private func lines(
        _ text: String,
        pieces: Int = .max,
        maximumLength: Int = 100
    ) -> [InputLine] {
        lines(Array(text.utf8), pieces: pieces, maximumLength: maximumLength)
    }

    private func lines(
        _ bytes: [UInt8],
        pieces: Int = .max,
        maximumLength: Int = 100
    ) -> [InputLine] {
        var splitter = LineSplitter(maximumLength: maximumLength)
        var lines: [InputLine] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            splitter.split(Array(rest.prefix(pieces)), into: &lines)
            rest = rest.dropFirst(pieces)
        }
        splitter.finish(into: &lines)
        return lines
    }

    @Test(arguments: [1, 2, 3, 5, 1000])
    func linesAreTheSameHoweverTheBytesAreSplit(size: Int) {
        let text = "one\r\n\n  # comment\n\ttwo \nthree\n#x\nfour"
        #expect(
            lines(text, pieces: size) == [
                InputLine(number: 1, content: .text("one")),
                InputLine(number: 4, content: .text("two")),
                InputLine(number: 5, content: .text("three")),
                InputLine(number: 7, content: .text("four")),
            ]
        )
    }

    @Test func byteOrderMarkIsRemovedOnlyBeforeTheFirstLine() {
        #expect(
            lines("\u{FEFF}one\n\u{FEFF}two") == [
                InputLine(number: 1, content: .text("one")),
                InputLine(number: 2, content: .text("\u{FEFF}two")),
            ]
        )
    }

    @Test(arguments: [1, 7, 1000])
    func tooLongLineIsReportedAndTheNextIsRead(size: Int) {
        let long = String(repeating: "x", count: 500)
        #expect(
            lines("ok\n\(long)\nok", pieces: size, maximumLength: 10) == [
                InputLine(number: 1, content: .text("ok")),
                InputLine(number: 2, content: .tooLong(beginning: "xxxxxxxxxx")),
                InputLine(number: 3, content: .text("ok")),
            ]
        )
    }

    @Test func lineOfTheMaximumLengthIsRead() {
        for size in [1, 1000] {
            #expect(
                lines("0123456789\n", pieces: size, maximumLength: 10) == [
                    InputLine(number: 1, content: .text("0123456789"))
                ]
            )
        }
    }

    @Test func invalidUTF8IsReported() {
        #expect(
            lines([0x68, 0xFF, 0x0A, 0x69]) == [
                InputLine(number: 1, content: .notUTF8(repaired: "h\u{FFFD}")),
                InputLine(number: 2, content: .text("i")),
            ]
        )
    }

    @Test func emptyListHasNoLines() {
        #expect(lines("").isEmpty)
        #expect(lines("\n\r\n  \n#").isEmpty)
    }
}
