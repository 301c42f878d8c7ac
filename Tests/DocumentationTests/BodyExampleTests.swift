internal import CurlNetworking
internal import Foundation
internal import TestSupport
internal import Testing

/// The examples that stream or save bodies do what their pages say.
@Suite(.timeLimit(.minutes(10))) struct BodyExampleTests {
    private let folder: TemporaryDirectory
    private let console: Console

    init() throws {
        folder = try TemporaryDirectory()
        console = try Console()
    }

    private func place(_ name: String) -> URL {
        URL(fileURLWithPath: folder.path(name))
    }

    @Test func bodyExamplesStream() async throws {
        let manager = try console.manager()
        manager.responseSerializer = HTTPResponseSerializer()
        let page = Streaming(manager: manager, print: console.print)
        try await page.lines()
        try await page.values()
        #expect(console.lines.events == ["one", "two", "1 is Grace", "2 is Ada"])
        let film = URL(fileURLWithPath: try folder.write("", to: "film"))
        try await page.pieces(FileHandle(forWritingTo: film))
        #expect(try String(contentsOf: film, encoding: .utf8) == "one\ntwo\n")
        try await page.events()
        #expect(console.lines.events.suffix(2) == ["text/plain", "message: hello"])
        page.handlers(URLRequest(url: try console.url("/pages")))
        try await console.wait(for: "done")
        #expect(console.lines.events.suffix(2) == ["8", "done"])
    }

    @Test func journalExamplesSurviveARestart() async throws {
        let page = Downloads(print: console.print)
        let manager = try console.manager()
        let pages = try console.url("/pages")
        try await page.options(manager, URLRequest(url: pages), place("new"))
        #expect(console.lines.events == ["pages.txt"])
        let journal = try TransferJournal(
            at: place("journal"),
            manager: manager,
            configuration: Downloads.configuration { "secret" }
        )
        let nobody = URLRequest(url: try console.url("/users/404"))
        try await journal.download(nobody, to: place("nobody"), id: "nobody")
        #expect(try await journal.outcome(of: "nobody").state == .failed)
        #expect(console.server.requests.last?.header("Authorization") == "Bearer secret")
        try await page.again(journal)
        await journal.finishEvents()
        await journal.close()
        #expect(console.lines.events.last?.contains("404") == true)
        let file = place("catalogue")
        try await page.journal(manager, place("journal"), pages, file)
        for text in ["nobody is failed", "1 jobs were left", "catalogue is finished"] {
            try await console.wait(for: text)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "one\ntwo\n")
        let count = console.server.requestCount
        try await page.journal(manager, place("journal"), pages, file)
        #expect(console.lines.events.last == "0 jobs were left")
        #expect(console.server.requestCount == count)
    }
}
