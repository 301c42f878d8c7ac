internal import Curl
internal import Posix

// libcurl's callbacks while it connects. libcurl calls them on the loop thread, so they must not
// use the multi handle.

extension ByteChannel: EasyCallbacks {
    /// A line of a proxy's head. No consumer needs it, but its size and number are limited.
    func received(headerLine: Span<UInt8>) -> EasyDataAction {
        guard let attempt else { return .abort }
        do {
            let limits = options.responseHeadLimits
            _ = try attempt.connection.receive(tunnelLine: headerLine, limits: limits)
            return .accept
        } catch {
            fail(error)
            return .abort
        }
    }

    func received(body: Span<UInt8>) -> EasyDataAction { .accept }

    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction { .endOfBody }

    func seekRequestBody(to offset: Int64) -> EasySeekAction { .impossible }

    func readyToSend(between ends: ConnectionEnds) -> Bool {
        guard let attempt else { return false }
        driver.lookupAnswered(attempt, at: origin)
        // libcurl reuses no connection here, so each socket was checked; this holds if it ever does.
        let remote = IPAddress(ends.remote.text)
        if remote != nil, let reason = plan.options.addressScope.refusal(of: remote) {
            fail(.addressRefused([reason], host: endpoint.host, url: endpoint.origin))
            return false
        }
        if endpoint.isSecure { attempt.connection.tls = attempt.easy.handle.tls }
        driver.established(attempt, at: origin)
        return true
    }

    func mayOpenSocket(to address: IPAddress?) -> Bool {
        let scope = plan.options.addressScope
        guard !scope.isAny else { return true }
        guard let attempt else { return false }
        guard !attempt.connection.refusals.allow(address, in: scope) else { return true }
        driver.lookupAnswered(attempt, at: origin)
        return false
    }

    func openedSocket(_ descriptor: Int32) {
        driver.reactor.socketOpened(descriptor, for: id.rawValue)
        driver.lookupAnswered(attempt, at: origin)
    }

    func logged(_ kind: EasyLogKind, _ bytes: Span<UInt8>) {
        guard !driver.isCancelled(self) else { return }
        for line in TransferLog.lines(kind, bytes) { delegate.connection(connection, didLog: line) }
    }
}
