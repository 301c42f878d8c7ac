import ArgumentParser
import BatchFetch

/// What the arguments ask for, from parsing them to the exit status.
///
/// `demo` is a command of its own and not a subcommand, so that `batchfetch --help` shows what most
/// people need.
struct CommandLineRun {
    let arguments: [String]

    func run(_ stopper: Stopper) async -> ExitStatus {
        do {
            if arguments.first == "demo" {
                let command = try DemoCommand.parse(Array(arguments.dropFirst()))
                return try await command.execute(stopper)
            }
            let command = try FetchCommand.parse(arguments)
            return try await command.execute(stopper)
        } catch let failure as BatchFailure {
            Terminal().write("batchfetch: \(failure)\n")
            return ExitStatus(failure)
        } catch {
            return Self.tell(error, isDemo: arguments.first == "demo")
        }
    }

    /// Help and version are errors to the parser, and go to the standard output.
    private static func tell(_ error: any Error, isDemo: Bool) -> ExitStatus {
        let isSuccess = FetchCommand.exitCode(for: error).isSuccess
        let message =
            isDemo ? DemoCommand.fullMessage(for: error) : FetchCommand.fullMessage(for: error)
        if isSuccess {
            print(message)
            return .success
        }
        Terminal().write("\(message)\n")
        return .usage
    }
}
