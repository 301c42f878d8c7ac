internal import CurlURLSession
internal import Foundation

extension SecurityPolicySettings {
    /// Evaluates the certificates of a server.
    ///
    /// - Parameter domain: The expected host; `nil` for any.
    func evaluation(of trust: SecTrust, domain: String?) -> ServerTrustEvaluation {
        let hasPins = !pins.given.isEmpty
        if domain != nil, allowInvalidCertificates, validatesDomainName,
            pinningMode == .none || !hasPins
        {
            return .refused(.pinningRequired)
        }
        let host = validatesDomainName ? domain.map(Self.plain) : nil
        if let host, !Self.isName(host) { return .refused(.hostName(domain ?? host)) }
        // With invalid certificates allowed, only the pins decide, not the configured roots.
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

    /// Why the chain isn't trusted by the configured roots, or `nil`.
    ///
    /// libcurl has already verified the chain for the connection. If it checked the same, its
    /// success is used. If it rejected the chain, or if the policy has its own host or date, the
    /// chain is verified again, which also determines the reason.
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
        // libcurl may know more than this check, such as weak keys in the handshake, so its
        // rejection counts. Exceptions are a rejection because of the time, which is verified here,
        // and one because of a name that the policy doesn't require.
        guard let refusal = trust.failure, !Self.isAboutTime(refusal),
            !trust.failsByName || (host != nil && isSameHost)
        else { return nil }
        return .other(refusal.reason)
    }

    private static func isAboutTime(_ error: URLError) -> Bool {
        [.serverCertificateHasBadDate, .serverCertificateNotYetValid].contains(error.code)
    }

    // MARK: Pins

    /// Why the chain doesn't lead to a pinned certificate, or `nil`.
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

    /// The reason why the chain has no pinned key; otherwise `nil`.
    ///
    /// The handshake proves the key of the server's own certificate. Any other pinned key counts
    /// only if a path of signatures leads to its certificate; otherwise any server could present
    /// that certificate, too. The path must also be for the host; otherwise any certificate of the
    /// pinned authority would do.
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

    /// Whether OpenSSL can check a host.
    ///
    /// OpenSSL treats an empty name as any name, a leading dot as all names below the domain, and
    /// truncates a name at a NUL.
    private static func isName(_ host: String) -> Bool {
        !host.isEmpty && !host.hasPrefix(".") && !host.utf8.contains(0)
    }

    /// The host in lower case, without brackets and trailing dot.
    ///
    /// Brackets enclose IPv6 addresses.
    static func plain(_ host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

extension ServerTrustFailure {
    /// The failure of a path; `nil` for a valid one.
    fileprivate init?(_ path: CertificatePath, host: String?) {
        // Constants of OpenSSL's <openssl/x509_vfy.h>, which never change.
        switch path.code {
        case 0: return nil
        case 9: self = .notYetValid
        case 10: self = .expired
        // Missing issuer; self-signed; no chain.
        case 2, 18, 19, 20, 21, 27: self = .unknownAuthority
        case 62, 64: self = .hostName(host ?? "")
        case _ where path.certificates.isEmpty: self = .noCertificate
        default: self = .other(path.reason)
        }
    }
}
