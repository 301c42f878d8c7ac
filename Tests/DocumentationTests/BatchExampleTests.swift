internal import BatchFetch
internal import TestSupport
internal import Testing

/// The examples of batches do what their pages say.
@Suite(.timeLimit(.minutes(10))) struct BatchExampleTests {
    private let folder: TemporaryDirectory
    private let console: Console

    init() throws {
        folder = try TemporaryDirectory()
        console = try Console()
    }

    private func url(_ path: String) -> String { console.server.url + path }

    @Test func listExamplesRun() async throws {
        let page = InputLists(batch: Batch(), print: console.print)
        let list = try folder.write("\(url("/pages"))\nno URL\n", to: "list")
        try await page.plan(list)
        #expect(console.lines.events.count == 2)
        try await page.requests(url("/films"))
        #expect(console.lines.events.last == "page 2")
        #expect(console.server.requests.last?.bodyText == #"{"page": 2}"#)
        try await page.lists([list])
    }

    @Test("The landing page's example saves bodies and prints failures with their lines")
    func landingPageExampleRuns() async throws {
        let list = try folder.write("\(url("/pages"))\nno URL\n", to: "list")
        let pages = folder.path("saved")
        try await BatchFetchPage(print: console.print).use(list, pages)
        #expect(console.lines.events.count == 2)
        #expect(console.lines.events.first?.hasPrefix("line 2: ") == true)
        #expect(console.lines.events.last == "1 saved below \(pages)")
    }

    @Test func outputExamplesResume() async throws {
        let list = try folder.write("\(url("/pages"))\n", to: "list")
        let (pages, results) = (folder.path("pages"), folder.path("results"))
        let page = OutputAndResuming(print: console.print)
        for _ in 1...2 {
            try await page.journal(list, pages, folder.path("journal"), results)
        }
        #expect(console.lines.events == ["0 before, 1 now", "1 before, 0 now"])
        try await page.again(list, pages, results)
        #expect(console.lines.events.last == "unchanged false")
        _ = try OutputAndResuming.naming(pages)
        let polite = try PolitenessAndRetries.configuration()
        #expect(polite.politeness.rules.first?.concurrency == 8)
    }
}
