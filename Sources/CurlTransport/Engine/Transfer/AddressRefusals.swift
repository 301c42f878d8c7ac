internal import Curl
internal import Posix

// Keeps connections within the scope of a transfer's options. libcurl gives the address of each
// socket that it is about to open, and before each request both ends of the connection, which may be
// a reused one.

/// The addresses of a host that a transfer may not connect to.
struct AddressRefusals {
    private var refused: [String] = []
    private var hasAllowedAddress = false

    /// The refused addresses with their reasons, if libcurl had no other one.
    var all: [String]? { refused.isEmpty || hasAllowedAddress ? nil : refused }

    /// Whether `scope` allows a connection to `address`. Stores a refused address.
    mutating func allow(_ address: IPAddress?, in scope: PreparedAddressScope) -> Bool {
        guard let reason = scope.refusal(of: address) else {
            hasAllowedAddress = true
            return true
        }
        if !refused.contains(reason) { refused.append(reason) }
        return false
    }

    /// Forgets the addresses, because a connection is established.
    mutating func connected() {
        self = AddressRefusals()
    }

    /// Adds the refused addresses to the error of connecting to the others.
    func explain(_ error: inout TransportError) {
        guard !refused.isEmpty else { return }
        error.message +=
            " The host's other addresses are refused: \(TransportError.list(refused))."
    }
}

extension Transfer {
    /// Whether a socket to `address` may be opened.
    func mayConnect(to address: IPAddress?) -> Bool {
        guard !plan.options.addressScope.isAny else { return true }
        let scope = plan.options.addressScope
        guard let attempt else { return false }
        guard !attempt.connection.refusals.allow(address, in: scope) else { return true }
        driver.lookupAnswered(attempt, at: origin)
        return false
    }

    /// Whether the connection between `ends` leads to an address that the transfer may use.
    ///
    /// Another transfer, without this limit, may have opened it. The attempt then ends, and a new
    /// connection is tried.
    func mayUseConnection(between ends: ConnectionEnds, of attempt: TransferAttempt) -> Bool {
        guard !plan.options.addressScope.isAny else { return true }
        let scope = plan.options.addressScope
        let remote = IPAddress(ends.remote.text)
        guard let reason = scope.refusal(of: remote) else { return true }
        // libcurl may not know the address of a new connection, but it was checked.
        if remote == nil, !attempt.connection.newSockets.isEmpty { return true }
        if retries.needsNewConnection {
            fail(.addressRefused([reason], host: endpoint.host, url: redactedURL))
        } else if body?.rewind() ?? true {
            retries.repetition = .newConnection
        } else {
            // libcurl has read a part of the body for another connection.
            fail(.bodyNotReplayable)
        }
        return false
    }
}
