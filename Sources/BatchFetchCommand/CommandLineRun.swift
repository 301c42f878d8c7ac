import ArgumentParser
import BatchFetch

/// Runs the command line, from parsing the arguments to the exit status.
///
/// `demo`, `report`, `fleet` and `man` are separate commands and not subcommands, so that `batchfetch --help` shows
/// what most users need.
struct CommandLineRun {
    let arguments: [String]

    func run(_ signalHandler: SignalHandler) async -> ExitStatus {
        do {
            try ArgumentEncoding.check(arguments)
            switch arguments.first {
            case "demo":
                let command = try DemoCommand.parse(Array(arguments.dropFirst()))
                return try await command.execute(signalHandler)
            case "report":
                signalHandler.onEnd { signalHandler.endProcess() }
                return try ReportCommand.parse(Array(arguments.dropFirst())).execute()
            case "fleet":
                let parts = try FleetArguments(Array(arguments.dropFirst()))
                return try await FleetCommand.parse(parts.own).execute(parts, signalHandler)
            case "man":
                return try ManualCommand.parse(Array(arguments.dropFirst())).execute()
            default: break
            }
            return try await fetchCommand().execute(signalHandler)
        } catch let failure as BatchFailure {
            Terminal().write("batchfetch: \(failure)\n")
            return ExitStatus(failure)
        } catch {
            return printError(error)
        }
    }

    /// What the parser prints on request: help, the version, or completions.
    private func requested(_ message: String) -> String {
        guard arguments.first?.hasPrefix("-") == true,
            let shell = CompletionScript.shell(in: arguments),
            let script = try? CompletionScript(for: shell)
        else { return message }
        return script.text
    }

    /// The command, with the settings of files and the environment.
    private func fetchCommand() throws -> FetchCommand {
        let settings: SettingArguments
        do {
            settings = try SettingArguments(arguments)
        } catch {
            // A request for help works even if settings are invalid.
            if let request = Self.request(in: arguments) { throw request }
            throw error
        }
        do {
            return try FetchCommand.parse(settings.arguments)
        } catch {
            if !settings.sources.isEmpty, !FetchCommand.exitCode(for: error).isSuccess {
                let sources = settings.sources.joined(separator: " and ")
                Terminal().write(
                    "batchfetch: "
                        + (Self.place(of: error, in: settings) ?? "added settings from \(sources)")
                        + "\n"
                )
            }
            throw error
        }
    }

    /// The place of the first setting that causes the same error by itself; `nil` if none does.
    private static func place(of error: any Error, in settings: SettingArguments) -> String? {
        let message = FetchCommand.message(for: error)
        let found = settings.added.first { added in
            do {
                _ = try FetchCommand.parse(added.arguments + ["list"])
                return false
            } catch {
                return FetchCommand.message(for: error) == message
            }
        }
        return found.map { "\($0.place):" }
    }

    /// A request for help, the version or completions; `nil` for anything else.
    private static func request(in arguments: [String]) -> (any Error)? {
        do {
            _ = try FetchCommand.parse(arguments)
            return nil
        } catch {
            return FetchCommand.exitCode(for: error).isSuccess ? error : nil
        }
    }

    /// Prints an error; help and version, which the parser throws too, go to the standard output.
    private func printError(_ error: any Error) -> ExitStatus {
        let isSuccess = FetchCommand.exitCode(for: error).isSuccess
        let message =
            switch arguments.first {
            case "demo": DemoCommand.fullMessage(for: error)
            case "report": ReportCommand.fullMessage(for: error)
            case "fleet": FleetCommand.fullMessage(for: error)
            case "man": ManualCommand.fullMessage(for: error)
            default: FetchCommand.fullMessage(for: error)
            }
        if isSuccess {
            print(requested(message))
            return .success
        }
        Terminal().write("\(message)\n")
        return .usage
    }
}
