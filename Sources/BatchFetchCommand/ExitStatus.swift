import BatchFetch

/// How the command ends.
enum ExitStatus: Sendable, Equatable {
    /// All was fetched.
    case success
    /// Something was not.
    case someFailed
    /// Nothing was begun: an option is not as it should be.
    case usage
    /// The list can't be read, or not to its end.
    case input
    /// Bodies, results or the journal can't be written, or the system gives no more.
    case output
    /// Ended by a signal.
    case interrupted(signal: Int32)

    /// Of a run that couldn't begin.
    init(_ failure: BatchFailure) {
        self =
            switch failure.code {
            case .input: .input
            case .output, .journal, .resources: .output
            default: .usage
            }
    }

    /// What the shell is told.
    var code: Int32 {
        switch self {
        case .success: 0
        case .someFailed: 1
        case .usage: 2
        case .input: 3
        case .output: 4
        case .interrupted(let signal): 128 + signal
        }
    }
}
