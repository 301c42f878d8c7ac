public import CurlURLSession
public import Foundation
internal import Synchronization

/// Decides whether a server is trusted, by its certificates.
///
/// The default policy trusts a server whose certificates lead to a root that the session's
/// configuration trusts, and are for its host. A policy with pinned certificates trusts fewer:
///
/// ```swift
/// let found = try SecurityPolicy.certificates(inDirectory: folder)
/// manager.securityPolicy = SecurityPolicy(
///     pinningMode: .publicKey,
///     withPinnedCertificates: found.certificates
/// )
/// ```
///
/// Whether a certificate was revoked isn't looked at.
///
/// A policy may be used by several managers, from any thread, while it is changed. What it is set to
/// counts for connections that are made from then on.
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it. A class that others may inherit from can't say so
/// otherwise; whoever does answers for what he adds.
open class SecurityPolicy: @unchecked Sendable {
    /// What AFNetworking says where names are to be checked and nothing else is.
    static let pinningRequirement =
        "In order to validate a domain name for self signed certificates, you MUST use pinning."

    private let storage = Mutex<SecurityPolicySettings>(SecurityPolicySettings())

    /// Creates the default policy: nothing is pinned, invalid certificates aren't allowed, and the
    /// certificate must be for the host.
    public required init() {}

    /// Creates a policy with a mode, and the certificates to compare with.
    ///
    /// - Parameter pinnedCertificates: DER-encoded. AFNetworking looks for them in the main bundle, which
    ///   isn't to be had here; see ``certificates(inDirectory:)``.
    public convenience init(
        pinningMode: SSLPinningMode,
        withPinnedCertificates pinnedCertificates: Set<Data> = []
    ) {
        self.init()
        storage.withLock {
            $0.pinningMode = pinningMode
            $0.pinnedCertificates = pinnedCertificates
        }
    }

    /// Creates a policy with settings that were stored.
    public convenience init(settings: SecurityPolicySettings) {
        self.init()
        self.settings = settings
    }

    /// The default policy, a new one each time.
    open class func `default`() -> SecurityPolicy { SecurityPolicy() }

    // MARK: Settings

    /// What the policy is set to, as one value, which can be stored and compared.
    public final var settings: SecurityPolicySettings {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    /// What is compared with ``pinnedCertificates``; fixed when the policy is made.
    public final var sslPinningMode: SSLPinningMode { settings.pinningMode }

    /// The certificates to compare with, DER-encoded. Those that are none are passed over; see
    /// ``SecurityPolicySettings/unreadableCertificates``. `nil` is as good as none.
    public final var pinnedCertificates: Set<Data>? {
        get { settings.pinnedCertificates }
        set { storage.withLock { $0.pinnedCertificates = newValue ?? [] } }
    }

    /// Whether a server is trusted whose certificates are not valid; `false` by default. See
    /// ``SecurityPolicySettings/allowInvalidCertificates``.
    public final var allowInvalidCertificates: Bool {
        get { settings.allowInvalidCertificates }
        set { storage.withLock { $0.allowInvalidCertificates = newValue } }
    }

    /// Whether the certificate must be for the host; `true` by default. Only alternative names count
    /// (RFC 9525), no common name.
    public final var validatesDomainName: Bool {
        get { settings.validatesDomainName }
        set { storage.withLock { $0.validatesDomainName = newValue } }
    }

    /// When certificates must be valid; `nil`, the default, for the time at which they are evaluated.
    public final var verificationDate: Date? {
        get { settings.verificationDate }
        set { storage.withLock { $0.verificationDate = newValue } }
    }

    // MARK: Evaluating

    /// Whether a server is trusted.
    ///
    /// - Parameter domain: The host that it should be. `nil` for any.
    public final func evaluateServerTrust(
        _ serverTrust: SecTrust,
        forDomain domain: String?
    ) -> Bool {
        verdict(on: serverTrust, forDomain: domain).isTrusted
    }

    /// Whether a server is trusted, and if not, why.
    ///
    /// It may read the files of the trusted roots. Subclasses decide otherwise here.
    ///
    /// - Parameter domain: The host that it should be. `nil` for any.
    open func verdict(on serverTrust: SecTrust, forDomain domain: String?) -> ServerTrustVerdict {
        let verdict = settings.verdict(on: serverTrust, domain: domain)
        if verdict == .refused(.pinningRequired) { NSLog("%@", Self.pinningRequirement) }
        return verdict
    }

    // MARK: Copying

    /// A policy of the same class that is set to the same, and changes on its own from now on.
    ///
    /// A subclass with settings of its own copies them to what its superclass returns.
    open func copy() -> Self {
        let copy = Self()
        copy.settings = settings
        return copy
    }
}
