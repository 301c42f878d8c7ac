import ArgumentParser
import BatchFetch

/// What the arguments ask for, from parsing them to the exit status.
///
/// `demo` and `report` are commands of their own and not subcommands, so that `batchfetch --help` shows
/// what most people need.
struct CommandLineRun {
    let arguments: [String]

    func run(_ stopper: Stopper) async -> ExitStatus {
        do {
            switch arguments.first {
            case "demo":
                let command = try DemoCommand.parse(Array(arguments.dropFirst()))
                return try await command.execute(stopper)
            case "report":
                return try ReportCommand.parse(Array(arguments.dropFirst())).execute()
            default: break
            }
            return try await fetchCommand().execute(stopper)
        } catch let failure as BatchFailure {
            Terminal().write("batchfetch: \(failure)\n")
            return ExitStatus(failure)
        } catch {
            return tell(error)
        }
    }

    /// The command with what files and the environment say about it.
    private func fetchCommand() throws -> FetchCommand {
        let settings: SettingArguments
        do {
            settings = try SettingArguments(arguments)
        } catch {
            // Who asks for help gets it.
            if let request = Self.request(in: arguments) { throw request }
            throw error
        }
        do {
            return try FetchCommand.parse(settings.arguments)
        } catch {
            if !settings.sources.isEmpty, !FetchCommand.exitCode(for: error).isSuccess {
                let sources = settings.sources.joined(separator: " and ")
                Terminal().write("batchfetch: settings of \(sources) were added\n")
            }
            throw error
        }
    }

    /// What isn't fetching but asking: for help, the version, completions.
    private static func request(in arguments: [String]) -> (any Error)? {
        do {
            _ = try FetchCommand.parse(arguments)
            return nil
        } catch {
            return FetchCommand.exitCode(for: error).isSuccess ? error : nil
        }
    }

    /// Help and version are errors to the parser, and go to the standard output.
    private func tell(_ error: any Error) -> ExitStatus {
        let isSuccess = FetchCommand.exitCode(for: error).isSuccess
        let message =
            switch arguments.first {
            case "demo": DemoCommand.fullMessage(for: error)
            case "report": ReportCommand.fullMessage(for: error)
            default: FetchCommand.fullMessage(for: error)
            }
        if isSuccess {
            print(message)
            return .success
        }
        Terminal().write("\(message)\n")
        return .usage
    }
}
