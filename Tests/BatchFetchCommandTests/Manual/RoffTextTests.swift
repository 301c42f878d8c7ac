import Testing

@testable import BatchFetchCommand

@Suite struct RoffTextTests {
    @Test(
        "Characters that roff would interpret or change are escaped",
        arguments: [
            ("a-b", "a\\-b"), ("\\n", "\\(rsn"), ("it's \"x\"", "it\\(aqs \\(dqx\\(dq"),
            ("`~^", "\\(ga\\(ti\\(ha"), ("a\nb\tc", "a b c"),
            ("“…”", "\\[u201C]...\\[u201D]"),
            ("é", "\\[u00E9]"), ("\u{1F600}", "\\[u1F600]"),
        ]
    )
    func charactersAreEscaped(text: String, source: String) {
        #expect(RoffText.escaped(text) == source)
    }

    @Test("Text that begins like a macro stays text, and long options are bold")
    func textIsNoMacro() {
        var roff = RoffText(command: "x", version: "1")
        let head = roff.text
        roff.paragraph(".parts and 'x' with --no-continue, -- and a--b.")
        roff.example([".SH", "'x'"])
        #expect(
            roff.text == head + """
                .PP
                \\&.parts and \\(aqx\\(aq with \\fB\\-\\-no\\-continue\\fR, \\-\\- and a\\fB\\-\\-b\\fR.
                .PP
                .RS 4
                .nf
                \\&.SH
                \\(aqx\\(aq
                .fi
                .RE

                """
        )
    }
}
