internal import Curl

// HTTP/3 for origins that announce it. The scheduler stores the announcements. libcurl's own
// `Alt-Svc` cache belongs to one handle, and with it a request fails if the server can't be reached
// over UDP.

extension LoopDriver {
    /// Whether the next attempt uses HTTP/3 because its origin has announced it.
    func usesAltSvc(for transfer: Transfer) -> Bool {
        guard transfer.plan.options.usesAltSvc, transfer.endpoint.isSecure,
            let origin = transfer.origin
        else { return false }
        return scheduler.alternative(of: origin).isUsable(at: now)
    }

    /// Stores the announcement in a response, and whether HTTP/3 has failed.
    func learnAltSvc(from head: ResponseHead, of transfer: Transfer) {
        guard transfer.plan.options.usesAltSvc, let attempt = transfer.attempt,
            attempt.endpoint.isSecure,
            let origin = transfer.origin
        else { return }
        let isHTTP3 = head.isHTTP3
        if transfer.usesAltSvc, !isHTTP3, attempt.easy.handle.get(.numConnects) != 0 {
            scheduler.changeAlternative(of: origin) { $0.failed(at: now) }
        }
        if let announcement = AltSvcAnnouncement(
            head.values(of: "Alt-Svc"),
            host: attempt.endpoint.host,
            port: Int(attempt.endpoint.port)
        ) {
            scheduler.changeAlternative(of: origin) { $0.learn(announcement, at: now) }
        }
        guard !isHTTP3, scheduler.alternative(of: origin).isUsable(at: now) else { return }
        // The next request would reuse this connection.
        attempt.easy.setup = nil
        closeConnection(after: attempt)
    }
}
