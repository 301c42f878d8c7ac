/// What came of fetching a host's `robots.txt` (RFC 9309, 2.3.1).
enum RobotsAnswer: Sendable {
    /// What it says; a host that has none allows all.
    case file(RobotsFile)
    /// It can't be had, for this reason.
    case unavailable(String)

    init(_ outcome: AttemptOutcome, token: String) {
        switch outcome.status {
        case .some(200..<300):
            guard case .memory(let bytes) = outcome.end else {
                self = .unavailable(outcome.failure?.reason.message ?? "it ended too early")
                return
            }
            self = .file(RobotsFile(bytes, token: token))
        case .some(300..<500) where outcome.status != 429:
            self = .file(RobotsFile())
        default:
            self = .unavailable(outcome.failure?.reason.message ?? "no answer")
        }
    }
}
