internal import Posix

/// Remembers servers that a delegate accepted despite a failed verification.
///
/// It saves handshakes and approves nothing: the delegate decides on each new connection. An
/// attempt to such an origin starts without libcurl's verification, so that it can reuse
/// connections without it. If a server presents the same chain again, the delegate gets the
/// remembered error.
struct TrustCache {
    private var lenientOrigins: Set<String> = []
    private var certificateOrigins: Set<String> = []
    private var failures: [VerifiedChain: (failure: VerificationFailure, since: MonotonicTime)] =
        [:]

    /// The lifetime of a failure in nanoseconds, because certificates expire and become valid.
    static let lifetime: Int64 = 60 * 1_000_000_000
    private static let capacity = 4096

    /// How many bytes of certificates are stored. A server chooses the length of its chain.
    private(set) var certificateBytes = 0
    static let maximumCertificateBytes = 16 << 20

    /// Whether attempts to `origin` start without verification.
    func isLenient(_ origin: String) -> Bool {
        lenientOrigins.contains(origin)
    }

    /// The verification error of `chain`; nil if unknown or older than ``lifetime``.
    func failure(of chain: VerifiedChain, at now: MonotonicTime) -> VerificationFailure? {
        guard let known = failures[chain], now.nanoseconds(since: known.since) < Self.lifetime
        else {
            return nil
        }
        return known.failure
    }

    /// Remembers that a delegate accepted `chain`, whose verification has just failed.
    mutating func accepted(
        _ chain: VerifiedChain,
        _ failure: VerificationFailure,
        at now: MonotonicTime
    ) {
        let size = chain.certificates.reduce(0) { $0 + $1.utf8.count }
        if failures.count >= Self.capacity
            || certificateBytes + size > Self.maximumCertificateBytes
        {
            failures.removeAll()
            certificateBytes = 0
        }
        if failures.updateValue((failure, now), forKey: chain) == nil { certificateBytes += size }
        accepted(chain.origin)
    }

    /// Remembers that a delegate accepted an unverified server of `origin`.
    mutating func accepted(_ origin: String) {
        if lenientOrigins.count >= Self.capacity { lenientOrigins.removeAll() }
        lenientOrigins.insert(origin)
    }

    /// Remembers that `origin` requests a client certificate, which it does in a full handshake only.
    mutating func certificateRequested(by origin: String) {
        if certificateOrigins.count >= Self.capacity { certificateOrigins.removeAll() }
        certificateOrigins.insert(origin)
    }

    /// Whether `origin` has requested a client certificate.
    func requestsCertificate(_ origin: String) -> Bool {
        certificateOrigins.contains(origin)
    }

    /// Forgets that `origin` was unverified, after a successful verification.
    mutating func verified(_ origin: String) {
        lenientOrigins.remove(origin)
    }
}

/// A certificate chain, and the input of its verification.
struct VerifiedChain: Hashable {
    /// Scheme and authority.
    let origin: String
    let certificates: [String]
    let roots: TrustRoots
    /// The versions of the files that the options name.
    var versions: [UInt64] = []
}

/// libcurl's error of a failed verification.
struct VerificationFailure: Hashable {
    /// `CURLINFO_SSL_VERIFYRESULT`; zero for none.
    let verifyResult: Int
    let text: String
}
