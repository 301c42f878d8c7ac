import Posix

/// The state of hosts that pass from one process to another.
extension HostQueues {
    /// What the next process with a host must know; `nil` for nothing.
    func handover(of key: String) -> HostHandover? {
        let state = slots[key].map { hosts[$0].state } ?? memory[key]
        return state.map(\.handover).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// When the hosts that have to wait start their next items.
    var pauses: [String: MonotonicTime] { slots.compactMapValues { hosts[$0].heldUntil } }

    /// The minimum time between two starts of a host's items.
    func minimumInterval(of key: String) -> Duration {
        let state = slots[key].map { hosts[$0].state } ?? memory[key]
        return (state ?? newState(of: key)).minimumInterval
    }

    /// Continues with a host after another process, instead of with what was known of it.
    mutating func restore(_ handover: HostHandover?, host key: String) {
        var state = newState(of: key)
        if let handover { state.restore(handover) }
        if let slot = slots[key] {
            hosts[slot].state = state
        } else if state.hasLearnt {
            memory.keep(state, of: key)
        } else {
            _ = memory.take(key)
        }
    }
}
