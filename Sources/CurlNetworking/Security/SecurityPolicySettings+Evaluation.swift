internal import CurlURLSession
internal import Foundation

extension SecurityPolicySettings {
    /// Evaluates what a server presented.
    ///
    /// - Parameter domain: The host that it should be; `nil` for any.
    func verdict(on trust: SecTrust, domain: String?) -> ServerTrustVerdict {
        let hasPins = !pins.given.isEmpty
        if domain != nil, allowInvalidCertificates, validatesDomainName,
            pinningMode == .none || !hasPins
        {
            return .refused(.pinningRequired)
        }
        let host = validatesDomainName ? domain.map(Self.plain) : nil
        if let host, !Self.isName(host) { return .refused(.hostName(domain ?? host)) }
        // What leads to pinned certificates alone needs no other authority.
        if !allowInvalidCertificates, let failure = failureOfChain(trust, host) {
            return .refused(failure)
        }
        let failure: ServerTrustFailure? =
            switch pinningMode {
            case .none: nil
            case _ where !hasPins: .noPins
            case .publicKey: failureOfKeys(trust, host)
            case .certificate: failureOfCertificates(trust, host)
            }
        return failure.map { .refused($0) } ?? .trusted
    }

    // MARK: The chain

    /// What keeps the chain from being trusted by the configured roots.
    ///
    /// libcurl has found out already, when it connected. Where it asked the same, its word counts; where
    /// it refused, or a name or a time of the policy's own are asked for, the chain is verified again,
    /// which also tells why.
    private func failureOfChain(_ trust: SecTrust, _ host: String?) -> ServerTrustFailure? {
        let isSameHost = host.map { $0 == Self.plain(trust.host) } ?? true
        guard !trust.certificates.isEmpty else { return .noCertificate }
        if trust.isVerified, trust.failure == nil, verificationDate == nil, isSameHost {
            return nil
        }
        let path = CertificatePath(
            PathQuestion(
                presented: trust.certificates,
                anchors: Set(trust.trustedRoots),
                host: host,
                isForServers: validatesDomainName,
                date: verificationDate
            )
        )
        if let failure = ServerTrustFailure(path, host: host) { return failure }
        // It knows what can't be seen here, such as weak keys of a handshake: its no counts, unless it is about the
        // name or the time, which are asked for otherwise here.
        guard let refusal = trust.failure, !Self.isAboutTime(refusal),
            !trust.failsByName || (host != nil && isSameHost)
        else { return nil }
        return .other(refusal.localizedDescription)
    }

    private static func isAboutTime(_ error: URLError) -> Bool {
        [.serverCertificateHasBadDate, .serverCertificateNotYetValid].contains(error.code)
    }

    // MARK: Pins

    /// What keeps the chain from leading to a pinned certificate.
    private func failureOfCertificates(
        _ trust: SecTrust,
        _ host: String?
    ) -> ServerTrustFailure? {
        let path = CertificatePath(
            PathQuestion(
                presented: trust.certificates,
                anchors: pins.certificates,
                host: host,
                isForServers: validatesDomainName,
                date: verificationDate
            )
        )
        guard let failure = ServerTrustFailure(path, host: host) else {
            return pins.certificates.isDisjoint(with: path.certificates) ? .pinMismatch : nil
        }
        return failure == .unknownAuthority ? .pinMismatch : failure
    }

    /// What keeps the chain from having a pinned key.
    ///
    /// The key of the server's own certificate is proved by the handshake. Any other one counts only
    /// where a path of signatures leads to its certificate, else anybody could add that to what he
    /// presents; and for the host, else all that an authority has ever certified would do.
    private func failureOfKeys(_ trust: SecTrust, _ host: String?) -> ServerTrustFailure? {
        let pinned = trust.certificates.filter { certificate in
            X509Certificate.publicKey(of: certificate).map { pins.publicKeys.contains($0) } ?? false
        }
        if let own = trust.certificates.first, pinned.contains(own) { return nil }
        let path = CertificatePath(
            PathQuestion(
                presented: trust.certificates,
                anchors: pins.certificates.union(pinned),
                host: host,
                isForServers: validatesDomainName,
                checksTime: false
            )
        )
        return path.code == 0 ? nil : .pinMismatch
    }

    /// Whether a host can be looked for: OpenSSL takes an empty name for any, one that begins with a
    /// dot for all below it, and one with a zero in it for a shorter one.
    private static func isName(_ host: String) -> Bool {
        !host.isEmpty && !host.hasPrefix(".") && !host.utf8.contains(0)
    }

    /// A host without the brackets of an address or a dot at its end, in small letters.
    static func plain(_ host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
