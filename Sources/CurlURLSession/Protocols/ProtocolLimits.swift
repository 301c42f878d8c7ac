/// How long a protocol may take: the engine measures transfers of its own only.
struct ProtocolLimits: Sendable {
    /// For how long it may say nothing; `nil` for no limit.
    let idle: Duration?
    /// How long it may take in all, from its start; `nil` for no limit.
    let total: Duration?

    /// How long it may take from now on.
    ///
    /// - Parameters:
    ///   - silence: For how long it has said nothing.
    ///   - age: For how long it has loaded.
    /// - Returns: Zero or less if a limit is reached; `nil` without one.
    func timeLeft(silence: Duration, age: Duration) -> Duration? {
        let idle = idle.map { $0 - silence }
        let total = total.map { $0 - age }
        guard let idle, let total else { return idle ?? total }
        return min(idle, total)
    }
}
