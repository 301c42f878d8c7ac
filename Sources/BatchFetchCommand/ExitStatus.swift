/// How the command ends.
enum ExitStatus: Sendable, Equatable {
    /// All was fetched.
    case success
    /// Something was not.
    case someFailed
    /// Nothing was begun: an option, the list or the output folder is not as it should be.
    case usage
    /// Ended by a signal.
    case interrupted(signal: Int32)

    /// What the shell is told.
    var code: Int32 {
        switch self {
        case .success: 0
        case .someFailed: 1
        case .usage: 2
        case .interrupted(let signal): 128 + signal
        }
    }
}
