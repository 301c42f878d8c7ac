import Testing

@testable import BatchFetchCommand

@Suite struct HelpTextTests {
    @Test("A line of capitals begins a section, and blank lines end paragraphs")
    func capitalsBeginSections() {
        let help = HelpText(
            """
            URLs are read
            from a file.

            JSON is read, too.

            FILES
              One line
              and its end.

              Another paragraph.

            EXIT STATUS
              0    success
              130  ended by SIGINT
            """
        )
        #expect(
            help.introduction == [
                .paragraph("URLs are read from a file."), .paragraph("JSON is read, too."),
            ]
        )
        #expect(help.sections.map(\.title) == ["FILES", "EXIT STATUS"])
        #expect(
            help.sections.first?.blocks == [
                .paragraph("One line and its end."), .paragraph("Another paragraph."),
            ]
        )
        #expect(
            help.sections.last?.blocks == [
                .term("0", explanation: "success"), .term("130", explanation: "ended by SIGINT"),
            ]
        )
    }

    @Test("Lines that are indented further, and commands, are examples")
    func commandsAreExamples() {
        let help = HelpText(
            """
            EXAMPLES
              Save the pages:
                batchfetch --output pages urls.txt

              Check them:
                find-links |
                  batchfetch -
              batchfetch demo
              batchfetch demo  --quiet
            """
        )
        #expect(help.introduction.isEmpty)
        #expect(
            help.sections.first?.blocks == [
                .paragraph("Save the pages:"), .example(["batchfetch --output pages urls.txt"]),
                .paragraph("Check them:"),
                .example([
                    "find-links |", "batchfetch -", "batchfetch demo", "batchfetch demo  --quiet",
                ]),
            ]
        )
    }

    @Test func emptyTextHasNoSections() {
        #expect(HelpText("") == HelpText("\n  \n"))
        #expect(HelpText("").introduction.isEmpty && HelpText("").sections.isEmpty)
    }
}
