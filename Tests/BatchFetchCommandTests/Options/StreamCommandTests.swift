import Foundation
import TestSupport
import Testing

/// A run that a program feeds through standard input.
@Suite(.timeLimit(.minutes(10))) struct StreamCommandTests {
    let folder: TemporaryDirectory
    let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { .text("body of \($0.target)") }
    }

    private var arguments: [String] {
        ["--quiet", "--journal", folder.path("journal"), "--results", "-", "-"]
    }

    @Test("Each line is answered at once, while standard input stays open")
    func linesAreAnsweredAtOnce() async throws {
        let run = try CommandRun(["--quiet", "--results", "-", "-"])
        for number in 0..<3 {
            try run.write("\(server.url)/\(number)\n")
            _ = try await run.output(containing: "\"url\":\"\(server.url)/\(number)\"")
        }
        try run.closeInput()
        let ending = try await run.ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output.split(separator: "\n").count == 3)
    }

    @Test("After a kill, lines that were answered and recorded aren't fetched again")
    func answeredLinesAreNotFetchedAgain() async throws {
        let run = try CommandRun(arguments)
        for path in ["/a", "/b"] {
            try run.write("\(server.url)\(path)\n")
            _ = try await run.output(containing: "\"url\":\"\(server.url)\(path)\"")
        }
        // The answer to the first line was recorded before the second one was written.
        run.signal(SIGKILL)
        #expect(try await run.ending().status == -SIGKILL)
        let before = server.requestCount
        let second = try CommandRun(arguments)
        try second.write("\(server.url)/a\n\(server.url)/c\n")
        try second.closeInput()
        let ending = try await second.ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(server.requests[before...].map(\.target) == ["/c"])
        #expect(!ending.output.contains("\(server.url)/a\""), "\(ending)")
        // The third run has nothing to fetch.
        let third = try CommandRun(arguments)
        try third.write("\(server.url)/c\n\(server.url)/a\n")
        try third.closeInput()
        #expect(try await third.ending().output.isEmpty)
        #expect(server.requestCount == before + 1)
    }
}
