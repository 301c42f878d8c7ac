/// A deviation of FoundationNetworking from Apple's documentation.
struct Deviation: Sendable {
    enum Way: Sendable {
        /// It writes other lines in place of these.
        case changes([String: String])
        /// It writes this instead of the step's lines.
        case writes([String])
        /// It ends the process by a signal.
        case traps
        /// It never reaches the end of the step.
        case hangs
        /// What it does differs from run to run.
        case varies
    }

    let step: String
    let way: Way
    let reason: String

    init(_ step: String, _ way: Way, because reason: String) {
        self.step = step
        self.way = way
        self.reason = reason
    }

    /// The lines that are written instead of `expected`.
    ///
    /// nil if the step doesn't reach its end, or if its lines vary.
    func lines(insteadOf expected: [String]) -> [String]? {
        switch way {
        case .changes(let changes): expected.map { changes[$0] ?? $0 }
        case .writes(let lines): lines
        case .traps, .hangs, .varies: nil
        }
    }
}
