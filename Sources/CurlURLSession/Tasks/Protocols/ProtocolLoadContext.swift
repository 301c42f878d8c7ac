internal import Foundation

/// The protocol class, request and task of one load.
struct ProtocolLoadContext: Sendable {
    let type: URLProtocol.Type
    /// In its canonical form.
    let request: URLRequest
    let task: URLSessionTask
    /// Where the response is stored; `nil` for nowhere.
    let cache: URLCache?
    /// Whether the protocol gets the cached response.
    let looksIntoCache: Bool
    let limits: ProtocolLimits
}

/// The timeouts of a user's protocol. The transport only measures its own transfers.
struct ProtocolLimits: Sendable {
    /// The longest time without an event; `nil` for no limit.
    let idle: Duration?
    /// The longest time from the start to the end. `nil` for no limit.
    let total: Duration?

    /// Returns the time left before a limit is reached.
    ///
    /// - Parameters:
    ///   - silence: The time since the protocol's last event.
    ///   - age: The time since the load started.
    /// - Returns: Zero or less if a limit is reached; `nil` without a limit.
    func timeLeft(silence: Duration, age: Duration) -> Duration? {
        let idle = idle.map { $0 - silence }
        let total = total.map { $0 - age }
        guard let idle, let total else { return idle ?? total }
        return min(idle, total)
    }
}
