import Testing

@testable import BatchFetchCommand

/// Lines that fit the terminal, and texts that can't control it.
@Suite struct TerminalLineTests {
    @Test("A line is cut at the terminal's width")
    func lineIsCutAtTheWidth() {
        var line = TerminalLine(columns: 5, hasColor: false)
        line.append("abc")
        #expect(line.free == 2)
        line.append("defg")
        #expect(line.text == "abcde" && line.free == 0)
        line.append("h", .bad)
        #expect(line.text == "abcde")
        var none = TerminalLine(columns: 0, hasColor: true)
        none.append("a", .good)
        #expect(none.text == "" && none.free == 0)
        let negative = TerminalLine(columns: -3, hasColor: false)
        #expect(negative.free == 0)
    }

    @Test("A part that must not be cut is omitted if it doesn't fit")
    func wholePartIsLeftOut() {
        var line = TerminalLine(columns: 5, hasColor: false)
        #expect(line.appendWhole("abc") == true)
        #expect(line.appendWhole("def") == false)
        #expect(line.text == "abc")
        #expect(line.appendWhole("de") == true)
        #expect(line.appendWhole("") == true)
        #expect(line.text == "abcde")
    }

    @Test("Colour codes take no width, and are only written to a line with colours")
    func coloursTakeNoWidth() {
        for (hasColor, text) in [
            (false, "abc"), (true, "\u{1B}[32ma\u{1B}[0mb\u{1B}[1;31mc\u{1B}[0m"),
        ] {
            var line = TerminalLine(columns: 3, hasColor: hasColor)
            line.append("a", .good)
            line.append("b")
            line.append("cd", .bad)
            #expect(line.text == text)
        }
    }

    @Test("Characters of unknown width become question marks, and those of bars are kept")
    func unknownWidthsAreQuestionMarks() {
        var line = TerminalLine(columns: 80, hasColor: false)
        line.append("a\u{1B}[1m é 漢🎉\n\u{7F}━╸─·µ…~")
        #expect(line.text == "a?[1m ? ????━╸─·µ…~")
    }

    @Test(
        "Control characters that a terminal would interpret are replaced",
        arguments: [
            ("", ""), ("plain é 漢\n\ttext", "plain é 漢\n\ttext"), ("\u{1B}[31m", "\u{FFFD}[31m"),
            ("\r", "\u{FFFD}"), ("a\u{0}\u{7}\u{8}b", "a\u{FFFD}\u{FFFD}\u{FFFD}b"),
            ("\u{7F}\u{80}\u{9B}\u{9F}\u{A0}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{A0}"),
            (
                "\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}",
                String(repeating: "\u{FFFD}", count: 6)
            ),
            ("\u{2029}\u{202F}\u{2065}\u{206A}", "\u{2029}\u{202F}\u{2065}\u{206A}"),
            ("\r\n", "\u{FFFD}\n"),
        ]
    )
    func activeCharactersAreReplaced(text: String, expected: String) {
        #expect(TerminalEscaping.text(text) == expected)
    }
}
