import Posix

/// The groups of hosts, and the addresses that determine them.
extension HostQueues {
    /// Removes and returns the hosts whose addresses must be looked up: their items wait for
    /// ``learn(_:of:at:)``.
    mutating func takeUnresolved() -> [String] { addresses.takeUnknown() }

    /// Sets the addresses of a host, without its port; none if it has none.
    mutating func learn(_ known: [String], of host: String, at now: MonotonicTime) {
        for slot in addresses.learn(known, of: host, at: now) where hosts[slot].isUnresolved {
            hosts[slot].isUnresolved = false
            hosts[slot].groups += groups.join(addresses: known)
            markReady(slot)
            forgetIfIdle(slot)
        }
    }

    /// Adds a new host to its groups.
    mutating func joinGroups(_ slot: Int) {
        let key = hosts[slot].key
        let host = HostName.host(ofKey: key)
        hosts[slot].groups = groups.join(host: host, rule: policies.rule(of: key))
        guard groups.needsAddresses else { return }
        if let known = addresses.addresses(ofKey: key, for: slot, at: latest) {
            hosts[slot].groups += groups.join(addresses: known)
        } else {
            hosts[slot].isUnresolved = true
        }
    }
}
