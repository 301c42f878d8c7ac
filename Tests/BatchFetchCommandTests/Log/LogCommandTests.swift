import Foundation
import TestSupport
import Testing

/// The command's log, and its output on a terminal.
@Suite(.timeLimit(.minutes(10))) struct LogCommandTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func eventsAreLoggedWithoutSecrets() async throws {
        let server = try LoopbackServer { _ in .status(503) }
        let line = """
            {"url":"http://user:hidden@127.0.0.1:\(server.port)/a?key=hidden",\
            "headers":{"Authorization":"Bearer hidden","Cookie":"id=hidden"}}
            """
        let ending = try await CommandRun.ending(
            "--log-level",
            "trace",
            "--retries",
            "1",
            "--quiet",
            "--format",
            "jsonl",
            "-",
            input: line
        )
        #expect(ending.status == 1)
        let lines = ending.errors.split(separator: "\n")
        for text in [
            " info limit of open files raised files=", " notice run started concurrency=256",
            " trace attempt started attempt=1 url=http://…@127.0.0.1:", " debug retry attempt=2 ",
            " notice run ended ",
        ] {
            #expect(lines.contains { $0.contains(text) }, "no \(text) in \(ending.errors)")
        }
        for line in lines {
            #expect(line.contains(/^\d{4}-\d\d-\d\dT[\d:.]+Z [a-z]+ [a-z]/), "\(line)")
        }
        #expect(!ending.errors.contains("hidden"))
    }

    @Test func nothingIsLoggedWithoutALogLevel() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let ending = try await CommandRun.ending("--quiet", "\(server.url)/a")
        #expect(ending.status == 0 && ending.errors.isEmpty)
        let wrong = try await CommandRun.ending("--log-level", "loud", "x")
        #expect(wrong.status == 2)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func progressBlockIsRemovedFromTheTerminalAtTheEnd() async throws {
        let program = try CommandRun.executable()
        for (environment, hasColor) in [
            ("TERM=xterm NO_COLOR=", true), ("TERM=xterm NO_COLOR=1", false), ("TERM=dumb", false),
        ] {
            let gate = Gate()
            let server = try LoopbackServer { _ in .text("x").after(gate) }
            let list = try folder.write("\(server.url)/a\n\(server.url)/b\n", to: "list.txt")
            let run = try CommandRun(
                program: "/usr/bin/script",
                [
                    "-qefc",
                    "env LC_ALL=C.UTF-8 \(environment) \(program) --log-level notice \(list)",
                    "/dev/null",
                ]
            )
            let isBlock = environment.hasPrefix("TERM=xterm")
            // The coloured progress bar appears once the list has been read.
            if isBlock {
                _ = try await run.output(containing: hasColor ? "\u{1B}[36m" : "in flight")
            }
            gate.open()
            let ending = try await run.ending()
            #expect(ending.status == 0, "\(ending)")
            let text = ending.output
            #expect(text.contains("\u{1B}[J") == isBlock, "\(text)")
            #expect(text.contains("\u{1B}[36m") == hasColor, "\(text)")
            #expect(text.contains("2 fetched, 0 failed"))
            #expect(text.contains(" notice run started"))
        }
    }
}
