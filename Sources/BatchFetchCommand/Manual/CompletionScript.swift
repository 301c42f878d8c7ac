import ArgumentParser
import BatchFetch

/// The script with which a shell completes `batchfetch` and its other commands.
///
/// The parser's script completes the options of lists. It doesn't know `fleet` and the like, which
/// are no subcommands.
struct CompletionScript {
    private static let commands = ["demo", "fleet", "man", "report"]
    private static let note = "# The other commands, whose words the parser doesn't know."

    /// The script.
    let text: String

    /// - Throws: ``BatchFailure/Code/configuration`` if the declarations can't be read.
    init(for shell: CompletionShell) throws(BatchFailure) {
        let arguments = try CommandDescription(of: FleetCommand.self).arguments ?? []
        let options = arguments.filter { $0.kind != .positional && $0.shouldDisplay }
        let actions = FleetCommand.Action.allCases.map(\.rawValue)
        let script = FetchCommand.completionScript(for: shell)
        text =
            switch shell {
            case .bash: script + Self.bash(actions, options)
            case .zsh: Self.zsh(script, actions, options)
            case .fish: script + Self.fish(actions, options)
            default: script
            }
    }

    /// The shell that the arguments request a script for; `nil` if they request none.
    static func shell(in arguments: [String]) -> CompletionShell? {
        let name = "--generate-completion-script"
        guard let index = arguments.firstIndex(where: { $0.hasPrefix(name) }) else { return nil }
        if arguments[index] == name {
            guard index + 1 < arguments.count else { return CompletionShell.autodetected() }
            return CompletionShell(rawValue: arguments[index + 1])
        }
        return CompletionShell(rawValue: String(arguments[index].dropFirst(name.count + 1)))
    }

    private static func words(_ options: [CommandDescription.Argument]) -> String {
        options.flatMap { $0.names ?? [] }.map(\.text).joined(separator: " ")
    }

    private static func bash(
        _ actions: [String],
        _ options: [CommandDescription.Argument]
    ) -> String {
        """


        \(note)
        __batchfetch_commands() {
            local -r current="${COMP_WORDS[COMP_CWORD]}"
            _batchfetch "$@"
            if [[ "${COMP_CWORD}" -eq 1 ]]; then
                COMPREPLY+=($(compgen -W '\(commands.joined(separator: " "))' -- "${current}"))
            elif [[ "${COMP_WORDS[1]}" = fleet && "${COMP_CWORD}" -eq 2 ]]; then
                COMPREPLY=($(compgen -W '\(actions.joined(separator: " "))' -- "${current}"))
            elif [[ "${COMP_WORDS[1]}" = fleet && "${current}" = -* ]]; then
                COMPREPLY+=($(compgen -W '\(words(options))' -- "${current}"))
            fi
        }

        complete -o filenames -F __batchfetch_commands batchfetch
        """
    }

    /// The script stands in a file that is itself the function `_batchfetch`.
    private static func zsh(
        _ script: String,
        _ actions: [String],
        _ options: [CommandDescription.Argument]
    ) -> String {
        let addition = """
            \(note)
            functions[__batchfetch_lists]="${functions[_batchfetch]}"
            _batchfetch() {
                if [[ "${CURRENT}" -eq 2 ]]; then
                    compadd -- \(commands.joined(separator: " "))
                elif [[ "${words[2]}" = fleet && "${CURRENT}" -eq 3 ]]; then
                    compadd -- \(actions.joined(separator: " "))
                    return
                elif [[ "${words[2]}" = fleet && "${words[CURRENT]}" = -* ]]; then
                    compadd -- \(words(options))
                fi
                __batchfetch_lists "${@}"
            }

            """
        // The parser adds a subcommand to the lists, which take all words. zsh refuses both together.
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !line.hasSuffix(": :->command'") && !line.hasSuffix("*:: :->arg'")
        }
        let end = lines.lastIndex { $0.hasPrefix("if [[ \"${funcstack[1]}\"") } ?? lines.endIndex
        return (lines[..<end] + [Substring(addition)] + lines[end...]).joined(separator: "\n")
    }

    private static func fish(
        _ actions: [String],
        _ options: [CommandDescription.Argument]
    ) -> String {
        let isFleet = "string match -q fleet (commandline -opc)[2]"
        let isSecond = "test (count (commandline -opc)) -eq 2; and \(isFleet)"
        var lines = [
            "", "", note,
            "complete -c batchfetch -n 'test (count (commandline -opc)) -eq 1' "
                + "-a '\(commands.joined(separator: " "))'",
            "complete -c batchfetch -n '\(isSecond)' -f -a '\(actions.joined(separator: " "))'",
        ]
        for option in options {
            guard let name = option.preferredName, name.kind == .long else { continue }
            let value = option.kind == .option ? " -r" : ""
            lines.append("complete -c batchfetch -n '\(isFleet)' -l \(name.name)\(value)")
        }
        return lines.joined(separator: "\n")
    }
}
