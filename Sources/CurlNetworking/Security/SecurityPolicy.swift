public import CurlURLSession
public import Foundation
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects. An `open` class can't declare this
// without `@unchecked`; a subclass is responsible for the state that it adds.
/// Decides whether a server is trusted, by its certificates.
///
/// The default policy trusts a server whose certificate is for its host and leads to a root that
/// the session's configuration trusts. A policy with pinned certificates trusts fewer servers:
///
/// ```swift
/// let found = try SecurityPolicy.certificates(inDirectory: folder)
/// manager.securityPolicy = SecurityPolicy(
///     pinningMode: .publicKey,
///     withPinnedCertificates: found.certificates
/// )
/// ```
///
/// Revocation of certificates isn't checked.
///
/// Several managers may use a policy from any thread while it is changed. Changes apply to later
/// connections.
open class SecurityPolicy: @unchecked Sendable {
    /// AFNetworking's message for a policy that requires pinned certificates.
    ///
    /// Such a policy allows invalid certificates and validates names.
    static let pinningRequirement =
        "In order to validate a domain name for self signed certificates, you MUST use pinning."

    private let storage = Mutex<SecurityPolicySettings>(SecurityPolicySettings())

    /// Creates the default policy.
    ///
    /// It pins nothing, doesn't allow invalid certificates, and requires a certificate for the
    /// host.
    public required init() {}

    /// Creates a policy with a pinning mode and pinned certificates.
    ///
    /// - Parameter pinnedCertificates: DER-encoded certificates. AFNetworking finds them in the
    ///   main bundle, which doesn't exist on Linux; see ``certificates(inDirectory:)``.
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

    /// Creates a policy with stored settings.
    public convenience init(settings: SecurityPolicySettings) {
        self.init()
        self.settings = settings
    }

    /// Returns a new default policy.
    open class func `default`() -> SecurityPolicy { SecurityPolicy() }

    // MARK: Settings

    /// The policy's settings as one value that can be stored and compared.
    public final var settings: SecurityPolicySettings {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }

    /// What is compared with ``pinnedCertificates``; fixed at creation.
    public final var sslPinningMode: SSLPinningMode { settings.pinningMode }

    /// The pinned certificates, DER-encoded.
    ///
    /// Invalid ones are ignored; see ``SecurityPolicySettings/unreadableCertificates``. `nil` means
    /// none.
    public final var pinnedCertificates: Set<Data>? {
        get { settings.pinnedCertificates }
        set { storage.withLock { $0.pinnedCertificates = newValue ?? [] } }
    }

    /// Whether a server with invalid certificates is trusted; `false` by default.
    ///
    /// See ``SecurityPolicySettings/allowInvalidCertificates``.
    public final var allowInvalidCertificates: Bool {
        get { settings.allowInvalidCertificates }
        set { storage.withLock { $0.allowInvalidCertificates = newValue } }
    }

    /// Whether the certificate must be for the host; `true` by default.
    ///
    /// Only alternative names are checked (RFC 9525), not the common name.
    public final var validatesDomainName: Bool {
        get { settings.validatesDomainName }
        set { storage.withLock { $0.validatesDomainName = newValue } }
    }

    /// When certificates must be valid; `nil`, the default, for now.
    public final var verificationDate: Date? {
        get { settings.verificationDate }
        set { storage.withLock { $0.verificationDate = newValue } }
    }

    // MARK: Evaluating

    /// Whether a server is trusted.
    ///
    /// - Parameter domain: The expected host; `nil` for any.
    public final func evaluateServerTrust(
        _ serverTrust: SecTrust,
        forDomain domain: String?
    ) -> Bool {
        evaluation(of: serverTrust, forDomain: domain).isTrusted
    }

    /// Evaluates whether a server is trusted, and why not.
    ///
    /// It may read the files of the trusted roots. Subclasses override it to decide differently.
    ///
    /// - Parameter domain: The expected host; `nil` for any.
    open func evaluation(of serverTrust: SecTrust, forDomain domain: String?)
        -> ServerTrustEvaluation
    {
        let evaluation = settings.evaluation(of: serverTrust, domain: domain)
        if evaluation == .refused(.pinningRequired) { NSLog("%@", Self.pinningRequirement) }
        return evaluation
    }

    // MARK: Copying

    /// Returns an independent policy of the same class with the same settings.
    ///
    /// A subclass with its own settings overrides this and copies them to the result of
    /// `super.copy()`.
    open func copy() -> Self {
        let copy = Self()
        copy.settings = settings
        return copy
    }
}
