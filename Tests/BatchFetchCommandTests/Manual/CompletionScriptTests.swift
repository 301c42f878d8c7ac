import TestSupport
import Testing

/// What shells complete after `batchfetch`.
@Suite(.timeLimit(.minutes(10))) struct CompletionScriptTests {
    private func script(_ shell: String) async throws -> String {
        let ending = try await CommandRun.ending("--generate-completion-script", shell)
        #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending)")
        return ending.output
    }

    @Test(
        "bash completes commands, the actions and options of fleet, and options of lists",
        arguments: [
            ("batchfetch fle", ["fleet"]), ("batchfetch fleet sta", ["status"]),
            ("batchfetch fleet status may --wat", ["--watch"]),
            ("batchfetch fleet work may --per-h", ["--per-host"]),
            ("batchfetch --per-h", ["--per-host"]),
            ("batchfetch fleet re", ["resume", "retry-failed"]),
        ]
    )
    func bashCompletesFleet(line: String, words: [String]) async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(try await script("bash"), to: "completion")
        let arguments = [
            "/bin/bash", "-c",
            """
            cd "$(dirname "$0")"; source "$0"; COMP_LINE=$1; COMP_WORDS=($1)
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_POINT=${#COMP_LINE}
            word=${COMP_WORDS[COMP_CWORD]}; before=${COMP_WORDS[COMP_CWORD - 1]}
            __batchfetch_commands batchfetch "$word" "$before"; printf '%s\\n' "${COMPREPLY[@]}"
            """,
            path, line,
        ]
        let (status, output) = try await NativeThread.run { try ChildProcess.run(arguments) }
        #expect(status == 0, "\(output)")
        #expect(Set(output.split(separator: "\n").map(String.init)) == Set(words), "\(output)")
    }

    @Test("bash uses the function that completes commands")
    func bashCompletesCommands() async throws {
        let lines = try await script("bash").split(separator: "\n")
        #expect(lines.last == "complete -o filenames -F __batchfetch_commands batchfetch")
    }

    @Test("The zsh script takes lists, without the subcommand that zsh refuses beside them")
    func zshHasNoSubcommand() async throws {
        let script = try await script("zsh")
        #expect(script.hasPrefix("#compdef batchfetch\n"))
        // zsh: "doubled rest argument definition".
        #expect(!script.contains(":->arg") && !script.contains(":->command"))
        #expect(script.contains("'*:file:_files'"))
        #expect(script.contains("compadd -- --queue "))
        // The file is the function itself when zsh loads it: this is called at its end.
        let call = try #require(script.firstRange(of: "if [[ \"${funcstack[1]}\" = _batchfetch ]]"))
        let definition = try #require(script.firstRange(of: "functions[__batchfetch_lists]"))
        #expect(definition.upperBound < call.lowerBound)
    }

    @Test("fish completes each option of fleet after fleet alone")
    func fishCompletesFleet() async throws {
        let lines = try await script("fish").split(separator: "\n")
        for name in ["queue", "json", "watch", "wait"] {
            let condition = "string match -q fleet (commandline -opc)[2]"
            #expect(lines.contains { $0.contains("-n '\(condition)' -l \(name)") }, "\(name)")
        }
        #expect(lines.contains { $0.contains("-a 'demo fleet man report'") })
    }
}
