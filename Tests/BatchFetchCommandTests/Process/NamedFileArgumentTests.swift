import Foundation
import TestSupport
import Testing

/// Files that are named twice, and paths that aren't regular files.
@Suite(.timeLimit(.minutes(10))) struct NamedFileArgumentTests {
    let folder: TemporaryDirectory
    let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { _ in .text("x") }
    }

    /// Runs the command in the folder until it ends.
    private func run(_ arguments: [String]) async throws -> CommandRun.Ending {
        let run = try CommandRun(
            program: "/usr/bin/env",
            ["-C", folder.path, try CommandRun.executable()] + arguments
        )
        try run.closeInput()
        return try await run.ending()
    }

    @Test(arguments: [
        ["--results", "list", "list"],
        ["--results", "./list", "list"],
        ["--results", "link", "list"],
        ["--results", "hard", "list"],
        ["--journal", "j", "--results", "dangling", "--report", "new", "list"],
        ["--journal", "list", "--results", "r", "list"],
        ["--journal", "j", "--results", "list", "list"],
        ["--journal", "j", "--results", "./j", "list"],
        ["--journal", "j", "--results", "j.claims", "list"],
        ["--journal", "j", "--results", "r", "--report", "j", "list"],
        ["--failed-from", "earlier", "--results", "../{}/earlier", "list"],
        ["--since", "earlier", "--results", "./earlier", "list"],
        ["--report", "./list", "list"],
        ["--summary-json", "./list", "list"],
        ["--summary-json", "p", "--report", "./p", "list"],
        ["--results", "sub/../list", "list"],
        ["--config", "settings", "--results", "./settings", "list"],
        ["--spool", "s", "--journal", "j", "--results", "./s", "-"],
        ["report", "./earlier", "--output", "earlier"],
    ])
    func outputFileThatIsAlsoAnotherFileOfTheRunIsRefused(arguments: [String]) async throws {
        let list = "\(server.url)/a\n"
        let earlier = #"{"url":"x","ok":true,"ordinal":9}"# + "\n"
        try folder.write(list, to: "list")
        try folder.write(earlier, to: "earlier")
        try folder.write("retries = 0\n", to: "settings")
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
        try files.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "list")
        try files.createSymbolicLink(atPath: folder.path("dangling"), withDestinationPath: "new")
        try files.linkItem(atPath: folder.path("list"), toPath: folder.path("hard"))
        let name = String(folder.path.split(separator: "/").last ?? "")
        let ending = try await run(
            arguments.map { $0.replacing("{}", with: name) }
        )
        #expect(ending.status == 2, "\(ending)")
        #expect(ending.errors.contains(" would overwrite “"), "\(ending.errors)")
        #expect(server.requestCount == 0)
        #expect(try folder.read("list") == Array(list.utf8))
        #expect(try folder.read("earlier") == Array(earlier.utf8))
        #expect(
            try folder.contents()
                == ["dangling", "earlier", "hard", "link", "list", "settings", "sub"]
        )
    }

    @Test(arguments: ["--results", "--summary-json", "--report"])
    func outputFileThatIsTheRedirectedListIsRefused(option: String) async throws {
        let list = "\(server.url)/a\n"
        try folder.write(list, to: "list")
        let run = try CommandRun(
            program: "/bin/sh",
            [
                "-c", "cd \"$1\" && exec \"$0\" \"$2\" ./list - <list",
                CommandRun.executable(), folder.path, option,
            ]
        )
        let ending = try await run.ending()
        #expect(ending.status == 2, "\(ending)")
        #expect(ending.errors.contains("would overwrite “standard input”, which is a list"))
        #expect(try folder.read("list") == Array(list.utf8))
        #expect(server.requestCount == 0)
    }

    @Test(arguments: ["results", "journal", "report", "list"], ["overwrite", "skip", "error"])
    func bodyNeverReplacesAFileOfTheRun(name: String, existing: String) async throws {
        let list = "\(server.url)/\(name)\n\(server.url)/other\n"
        try FileManager.default.createDirectory(
            atPath: folder.path("out"),
            withIntermediateDirectories: false
        )
        try folder.write(list, to: "out/list")
        let arguments = [
            "--output", "out", "--out", "{file}", "--existing", existing, "--journal",
            "out/../out/journal", "--results", "out/results", "--report", "./out/report",
            "out/list",
        ]
        let plan = try await run(["--dry-run"] + arguments)
        let ending = try await run(arguments)
        #expect(plan.status == 1 && ending.status == 1, "\(plan) \(ending)")
        for errors in [plan.errors, ending.output] {
            #expect(
                errors.contains("the name “\(name)” is that of a file of the run itself"),
                "\(errors)"
            )
        }
        #expect(server.requests.map(\.target) == ["/other"])
        #expect(try folder.read("out/list") == Array(list.utf8))
        #expect(try folder.read("out/results").count { $0 == 0x0A } == 2)
    }

    @Test(arguments: ["--results", "--since", "a list"])
    func bodyNeverReplacesTheTargetOfALink(kind: String) async throws {
        let content = kind == "a list" ? "\(server.url)/target\n" : ""
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
        try folder.write(content, to: "out/target")
        for (link, target) in [("link", "second"), ("second", "out/target")] {
            try files.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        let ending = try await run(
            ["--output", "out", "--out", "{file}"]
                + (kind == "a list" ? ["link"] : [kind, "link", "\(server.url)/target"])
        )
        #expect(ending.status == 1, "\(ending)")
        #expect(
            ending.output.contains("the name “target” is that of a file of the run itself"),
            "\(ending)"
        )
        #expect(try folder.read("out/target") != Array("x".utf8))
        #expect(server.requestCount == 0)
    }

    @Test(arguments: [
        ["--results", "out/r", "--report", "out/./r"],
        ["--results", "out/r", "--summary-json", "out/x/../r"],
        ["--results", "./out/sub/r", "--report", "out/sub/r"],
    ])
    func filesInAMissingFolderAreComparedToo(arguments: [String]) async throws {
        let ending = try await run(["--output", "out"] + arguments + ["\(server.url)/a"])
        #expect(ending.status == 2 && ending.errors.contains(" would overwrite “"), "\(ending)")
        #expect(try folder.contents() == [])
    }

    @Test func journalMayBeInAMissingOutputFolder() async throws {
        let arguments = [
            "--output", "out", "--journal", "out/journal", "--results", "out/results",
            "\(server.url)/a",
        ]
        for _ in 0..<2 { #expect(try await run(arguments).status == 0) }
        #expect(server.requestCount == 1)
    }

    @Test(arguments: ["overwrite", "number"])
    func bodyNeverReplacesResultsInAMissingFolder(existing: String) async throws {
        let ending = try await run([
            "--output", "out", "--out", "{file}", "--existing", existing, "--results",
            "out/results", "--report", "out/report", "\(server.url)/results",
            "\(server.url)/report",
        ])
        let isNumbered = existing == "number"
        #expect(ending.status == (isNumbered ? 0 : 1), "\(ending)")
        let names = isNumbered ? ["report-1", "results-1"] : []
        #expect(
            try TemporaryDirectory.files(in: folder.path("out")).sorted()
                == (["report", "results"] + names).sorted()
        )
        #expect(try folder.read("out/results").count { $0 == 0x0A } == 2)
    }

    @Test func deviceMayBeNamedTwice() async throws {
        let list = try folder.write("\(server.url)/a\n", to: "list")
        let ending = try await run([
            "--results", "/dev/null", "--report", "/dev/null", "--summary-json", "/dev/null", list,
        ])
        #expect(ending.status == 0, "\(ending)")
        let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
        #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
    }

    @Test(arguments: ["--summary-json", "--report"])
    func reportsAreWrittenThroughLinksAndIntoPipes(option: String) async throws {
        let start = option == "--report" ? "<!doctype html>" : "{\"fetched\":1"
        try folder.write("old", to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"),
            withDestinationPath: "target"
        )
        let ending = try await run([option, "link", "\(server.url)/a"])
        #expect(ending.status == 0, "\(ending)")
        #expect(
            String(decoding: try folder.read("target"), as: UTF8.self).lowercased().hasPrefix(start)
        )
        let kind = try FileManager.default.attributesOfItem(atPath: folder.path("link"))[.type]
        #expect(kind as? FileAttributeType == .typeSymbolicLink)
        let piped = try CommandRun(
            program: "/bin/bash",
            [
                "-c",
                "\(try CommandRun.executable()) -q \(option) >(cat) \(server.url)/a | cat",
            ]
        )
        try piped.closeInput()
        let output = try await piped.ending()
        #expect(output.status == 0 && output.output.lowercased().hasPrefix(start), "\(output)")
    }

    @Test(arguments: ["--summary-json", "--report"])
    func reportsCanBeWrittenToStandardOutput(option: String) async throws {
        let start = option == "--report" ? "<!doctype html>" : "{\"fetched\":1"
        let ending = try await run([option, "-", "\(server.url)/a"])
        #expect(ending.status == 0 && ending.output.lowercased().hasPrefix(start), "\(ending)")
        #expect(ending.errors.contains("1 fetched"))
        #expect(try folder.contents() == [])
    }

    @Test func unwritableReportIsReportedBeforeTheRun() async throws {
        let ending = try await run(["--summary-json", "no/where.json", "\(server.url)/a"])
        #expect(ending.status == 4, "\(ending)")
        #expect(ending.errors.contains("can't write the summary"), "\(ending.errors)")
        #expect(server.requestCount == 0)
    }
}
