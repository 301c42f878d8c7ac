import ArgumentParser
import BatchFetch

/// The exit status of the command.
enum ExitStatus: Sendable, Equatable {
    /// All URLs were fetched.
    case success
    /// Some URLs failed.
    case someFailed
    /// Nothing was started: an option is invalid.
    case usage
    /// The list can't be read, or not to its end.
    case input
    /// The output can't be written, or a system resource is exhausted.
    ///
    /// The output is bodies, results or the journal.
    case output
    /// The run lasted its maximum time.
    ///
    /// The code is that of `timeout(1)`.
    case timeLimit
    /// A signal ended the run.
    case interrupted(signal: Int32)

    /// The status of a run that couldn't start.
    init(_ failure: BatchFailure) {
        self =
            switch failure.code {
            case .input: .input
            case .output, .journal, .resources: .output
            default: .usage
            }
    }

    /// The process exit code.
    var code: Int32 {
        switch self {
        case .success: 0
        case .someFailed: 1
        case .usage: 2
        case .input: 3
        case .output: 4
        case .timeLimit: 124
        case .interrupted(let signal): 128 + signal
        }
    }
}

/// Decides how many failed URLs make the command fail.
enum FailurePolicy: ExpressibleByArgument, Equatable, Sendable {
    case never
    case any
    /// More than this percentage of all URLs.
    case percent(Double)

    init?(argument: String) {
        switch argument {
        case "never": self = .never
        case "any": self = .any
        default:
            guard argument.hasSuffix("%"), let percent = Double(String(argument.dropLast())),
                (0...100).contains(percent)
            else { return nil }
            self = .percent(percent)
        }
    }

    func isFailure(failed: Int, of all: Int) -> Bool {
        switch self {
        case .never: false
        case .any: failed > 0
        case .percent(let percent): Double(failed) * 100 > percent * Double(all)
        }
    }
}
