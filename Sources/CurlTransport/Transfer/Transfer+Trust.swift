internal import Curl

// The delegate's say in whether a server is trusted.
//
// libcurl verifies, and before the request is sent the delegate sees the chain. If it answers at
// once, the request goes out or doesn't. If it wants to think, or if libcurl's verification failed,
// the hop is stopped and repeated once there is an answer: 7.88 offers no way to wait in between.

extension Transfer {
    /// Whether the request may be sent over `hop`'s connection. Called by libcurl, before it is.
    func trustsServer(_ hop: Hop) -> Bool {
        guard options.tls.evaluatesServerTrust else { return true }
        let certificates = hop.easy.handle.certificates.map(ServerTrust.pem)
        guard !certificates.isEmpty else {
            // A reused connection presents nothing: it is fine if it was approved when it was new.
            if driver.reactor.hasMarked(hop.connectionName) { return true }
            trust.needsFreshConnection = true
            trust.next = .retry
            return false
        }
        let approval = TrustApproval(origin: trustOrigin, certificates: certificates)
        if driver.approvals.contains(approval) {
            markConnection(of: hop, as: hop.connectionName)
            return true
        }
        guard !trust.isLenient || trust.verdict != nil else {
            // The origin was known by another chain. This one has yet to be verified.
            trust.mustVerify = true
            trust.isLenient = false
            trust.next = .retry
            return false
        }
        let question = ServerTrust(
            host: hop.endpoint.host,
            port: Int(hop.endpoint.port),
            certificates: certificates,
            failure: trust.verdict
        )
        trust.question = question
        driver.touch(self)
        switch delegate.transfer(handle, didReceive: question) {
        case .later:
            trust.next = .ask
            // Over HTTP/2, libcurl keeps a connection whose first request is stopped: with a yes it may be
            // used. Until then it isn't, and would be offered to each request again.
            trust.askedConnection = hop.connectionName
            markConnection(of: hop, as: Self.asked(hop.connectionName))
            return false
        case let decision:
            guard settle(decision, on: question) else { return false }
            markConnection(of: hop, as: hop.connectionName)
            return true
        }
    }

    /// What a connection is marked as about which the delegate is being asked.
    private static func asked(_ connectionName: String) -> String { "asked " + connectionName }

    /// Remembers of a new connection that it may be used by others who ask, if the name is its own.
    ///
    /// libcurl doesn't tell the socket at this point. It is the one that was opened for the hop;
    /// where more than one are still open, the next who asks gets a connection of its own.
    private func markConnection(of hop: Hop, as name: String) {
        let open = hop.openedSockets.filter { driver.reactor.isOpen($0) }
        guard open.count == 1, let socket = open.first else { return }
        driver.reactor.mark(socket, as: name)
    }

    /// Applies an answer. False if the server isn't trusted; the reason is recorded then.
    func settle(_ decision: TrustDecision, on question: ServerTrust) -> Bool {
        switch decision {
        case .accept:
            break
        case .useVerdict:
            if let failure = question.failure {
                fail(failure)
                return false
            }
        case .reject, .later:
            fail(.trustRefused(url: redactedURL))
            return false
        }
        driver.approve(
            TrustApproval(origin: trustOrigin, certificates: question.certificates),
            isLenient: question.failure != nil
        )
        if let name = trust.askedConnection {
            driver.reactor.renameMarked(Self.asked(name), to: name)
            trust.askedConnection = nil
        }
        return true
    }

    /// Whether a failed hop is to be repeated for the sake of trust.
    func repeatsForTrust(after error: TransportError, code: CurlCode) -> Bool {
        guard options.tls.evaluatesServerTrust, failure == nil else { return false }
        if trust.next != nil { return true }
        guard code == .peerFailedVerification, !trust.isLenient else { return false }
        trust.verdict = error
        trust.isLenient = true
        trust.next = .retry
        return true
    }
}
