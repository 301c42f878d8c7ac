import Foundation
import TestSupport
import Testing

/// Settings from files and from the environment.
@Suite(.timeLimit(.minutes(10))) struct SettingsTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Runs the command with environment variables until it ends.
    private func run(_ environment: [String], _ arguments: [String]) async throws -> (
        status: Int32, output: String
    ) {
        try await CommandRun.printed(environment, arguments)
    }

    /// The file name that the command plans for a URL.
    private func name(_ environment: [String], _ arguments: [String]) async throws -> String {
        let url = "http://example.org/x"
        let (status, output) = try await run(environment, ["--dry-run"] + arguments + [url])
        #expect(status == 0, "\(output)")
        return output
    }

    private func settings(_ text: String) throws -> String {
        try folder.write(text, to: "batchfetch.toml")
    }

    @Test func optionsOverrideTheEnvironmentWhichOverridesTheFile() async throws {
        let file = try settings(
            """
            # Where bodies go
            output = "o"
            out = "file-{file}"
            quiet = false
            per-host = 3
            adaptive = true
            breaker = false
            host-rule = ["example.org: rate=5/s", "*.example.net: concurrency=2"]
            """
        )
        let variable = "BATCHFETCH_OUT=env-{file}"
        var name = try await name([], ["--config", file])
        #expect(name.contains("\tfile-x\n"), "\(name)")
        name = try await self.name([variable], ["--config=\(file)"])
        #expect(name.contains("\tenv-x\n"), "\(name)")
        name = try await self.name([variable], ["--config", file, "--out", "flag-{file}"])
        #expect(name.contains("\tflag-x\n"), "\(name)")
        name = try await self.name(["BATCHFETCH_CONFIG=\(file)"], ["--out=flag-{file}"])
        #expect(name.contains("\tflag-x\n"), "\(name)")
    }

    @Test func optionOverridesConflictingSettingsOfTheFile() async throws {
        let file = try settings("output = \"o\"\n")
        let (status, output) = try await run(
            ["BATCHFETCH_BREAKER=off"],
            ["--config", file, "--dry-run", "--discard", "--breaker", "http://example.org/x"]
        )
        #expect(status == 0, "\(output)")
        #expect(output.contains("http://example.org/x\t\n"), "\(output)")
    }

    @Test func shortOptionNamesOverrideSettingsToo() async throws {
        let name = try await name(["BATCHFETCH_OUTPUT=o", "BATCHFETCH_OUT={file}"], ["-o", "p"])
        #expect(name.contains("\tx\n"), "\(name)")
        let file = try settings("concurrency = 0\n")
        let (status, output) = try await run([], ["--config", file, "-qc", "4", "--dry-run", "-"])
        #expect(status == 0, "\(output)")
    }

    @Test(arguments: [
        ("concurency = 5", "line 1: “concurency” is not a setting"),
        ("per-host = 3\n\n[limits]\nrate = \"5/s\"", "line 3: “limits” is not a setting"),
        ("adaptive = 1", "line 1: “adaptive” needs true or false"),
        ("# x\nper-host = [1]", "line 2: “per-host” needs a string or a number"),
        ("host-rule = [true]", "“host-rule” needs a string, or an array"),
        ("per-host = \n", "line 1: "), ("#\r\nquick = 1\r\n", "line 2: “quick” is not a setting"),
        ("#\nresults = \"a\\u0000b\"\n", "line 2: a setting contains a NUL"),
        ("per-host = 1\nper-host = 2", "line 2: “per-host” was set before"),
        ("adaptive = false\n[= 1", "line 2: a line must begin with the name of a setting"),
        ("per-host = 1979-05-27T/7:32:00Z", "line 1: “1979-05-27T/7:32:00Z” is no number"),
        ("help = true", "“help” is not a setting"), ("config = \"x\"", "“config” is not a setting"),
        ("c = 4", "“c” is not a setting: write concurrency"),
        ("no-breaker = true", "“no-breaker” is not a setting: write breaker = false"),
        ("robots = true", "The value 'true' is invalid for '--robots"),
        ("robots = true", "batchfetch.toml”, line 1:"),
        ("retries = 1\n\nper-host = \"x\"", "batchfetch.toml”, line 3:"),
        ("retries = 1\nper-host = 0", "batchfetch.toml”, line 2:"),
        ("# x\nhost-rule = [\"a.org: rate=1/s\",\n  \"nonsense\"]", "batchfetch.toml”, line 2:"),
        ("retries = 1\nout = \"{file}\"", "batchfetch.toml”, line 2:"),
    ])
    func mistakesInAFileAreReportedWithTheirLine(text: String, message: String) async throws {
        let file = try settings(text)
        let (status, output) = try await run([], ["--config", file, "-"])
        #expect(status == 2, "\(output)")
        #expect(output.contains("batchfetch.toml”"), "\(output)")
        #expect(output.contains(message), "\(output)")
    }

    @Test(arguments: [
        (
            "BATCHFETCH_CONCURENCY=5",
            "the environment variable BATCHFETCH_CONCURENCY is not a setting"
        ),
        ("BATCHFETCH_ADAPTIVE=maybe", "BATCHFETCH_ADAPTIVE is “maybe”: use true or false"),
        ("BATCHFETCH_PER_HOST=x", "batchfetch: the variable BATCHFETCH_PER_HOST:"),
        ("BATCHFETCH_HOST_RULE=x.org: rate=5/s; nonsense", "host: name=value"),
        ("BATCHFETCH_CONFIG=/does/not/exist", "cannot open “/does/not/exist”"),
    ])
    func mistakesInTheEnvironmentAreReported(variable: String, message: String) async throws {
        let (status, output) = try await run([variable], ["-"])
        #expect(status == 2, "\(output)")
        #expect(output.contains(message), "\(output)")
    }

    @Test("If settings and arguments don't fit together, the sources of the settings are named")
    func settingsThatDoNotFitAreNamedWithTheirSource() async throws {
        let file = try settings("results = \"-\"\n")
        let (status, output) = try await run([], ["--config", file, "--output", "-", "list"])
        #expect(status == 2, "\(output)")
        #expect(output.contains("batchfetch: added settings from “"), "\(output)")
    }

    @Test func helpIsPrintedDespiteAnUnknownEnvironmentSetting() async throws {
        let (status, output) = try await run(["BATCHFETCH_NONSENSE=5"], ["--help"])
        #expect(status == 0 && output.contains("EXAMPLES"))
    }

    @Test func everyOptionHasHelpAndASetting() async throws {
        struct Tool: Decodable {
            struct Command: Decodable {
                let arguments: [Argument]
            }
            struct Argument: Decodable {
                struct Name: Decodable {
                    let kind: String
                    let name: String
                }
                let kind: String
                let abstract: String?
                let names: [Name]?
                let valueName: String?
            }
            let command: Command
        }
        for arguments in [[], ["demo"], ["report"]] {
            let ending = try await run([], arguments + ["--experimental-dump-help"])
            #expect(ending.status == 0)
            let bytes = Data(ending.output.utf8)
            let tool = try JSONDecoder().decode(Tool.self, from: bytes)
            #expect(tool.command.arguments.count > 3)
            for argument in tool.command.arguments {
                let name = argument.names?.first?.name ?? argument.valueName ?? ""
                #expect((argument.abstract ?? "").count > 5, "\(name) has no help")
                #expect(
                    argument.kind == "positional"
                        || argument.names?.contains { $0.kind == "long" } == true,
                    "\(name) has no long name"
                )
            }
        }
    }

    @Test(arguments: [
        ("bash", "complete"), ("zsh", "#compdef batchfetch"), ("fish", "complete -c"),
    ])
    func completionsAreGenerated(shell: String, text: String) async throws {
        let (status, script) = try await run([], ["--generate-completion-script", shell])
        #expect(status == 0 && script.contains(text) && script.contains("per-host"), "\(script)")
        guard shell == "bash" else { return }
        let path = try folder.write(script, to: "completion")
        for (word, before, wanted) in [
            ("--lo", "batchfetch", "--log-level"), ("d", "--log-level", "debug"),
            (folder.path("comp"), "batchfetch", folder.path("completion")),
        ] {
            let arguments = [
                "/bin/bash", "-c",
                """
                source "$0"; COMP_WORDS=(batchfetch "$2" "$1"); COMP_CWORD=2
                COMP_LINE="batchfetch $2 $1"; COMP_POINT=${#COMP_LINE}
                _batchfetch batchfetch "$1" "$2"; echo "${COMPREPLY[@]}"
                """,
                path, word, before,
            ]
            let (check, output) = try await NativeThread.run { try ChildProcess.run(arguments) }
            #expect(check == 0 && output.contains(wanted), "\(output)")
        }
    }
}
