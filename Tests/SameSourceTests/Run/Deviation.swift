/// Where FoundationNetworking does something else than Apple's documentation says.
struct Deviation: Sendable {
    enum Way: Sendable {
        /// It writes other lines in the places of these.
        case changes([String: String])
        /// It writes this instead of the step's lines.
        case writes([String])
        /// It ends the process by a signal.
        case traps
        /// It never comes to the step's end.
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

    /// What is written instead of these lines; nil where the step doesn't come to its end, or not
    /// always in the same way.
    func lines(insteadOf expected: [String]) -> [String]? {
        switch way {
        case .changes(let changes): expected.map { changes[$0] ?? $0 }
        case .writes(let lines): lines
        case .traps, .hangs, .varies: nil
        }
    }
}
