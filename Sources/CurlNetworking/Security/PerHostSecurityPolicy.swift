public import CurlURLSession
internal import Synchronization

/// Decides by the host which policy a server is evaluated by.
///
/// Its own settings make no difference.
///
/// ```swift
/// manager.securityPolicy = PerHostSecurityPolicy(policies: [
///     "api.example.com": pinned,
///     "*.example.com": .default(),
/// ])
/// ```
///
/// `@unchecked Sendable`: its one stored property is constant, and a lock, which the compiler proves
/// to be `Sendable` with all that is behind it, as its superclass' is.
open class PerHostSecurityPolicy: SecurityPolicy, @unchecked Sendable {
    private let hosts = Mutex<Hosts>(Hosts())

    private struct Hosts: Sendable {
        var policies: [String: SecurityPolicy] = [:]
        var allHostsMustBeEvaluated = true
    }

    /// Creates a policy that trusts nobody.
    public required init() {
        super.init()
    }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - policies: By host, such as `api.example.com`. `*.example.com` stands for all hosts below
    ///     `example.com` that aren't named more closely. The case of letters doesn't matter.
    ///   - allHostsMustBeEvaluated: Whether no other host is trusted; `true` by default. Otherwise
    ///     others are evaluated by the default policy.
    public convenience init(
        policies: [String: SecurityPolicy],
        allHostsMustBeEvaluated: Bool = true
    ) {
        self.init()
        self.policies = policies
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    }

    /// The policies by host, in small letters, without the dot that may end a name and the brackets of an
    /// address.
    public final var policies: [String: SecurityPolicy] {
        get { hosts.withLock { $0.policies } }
        set {
            let pairs = newValue.map { (SecurityPolicySettings.plain($0), $1) }
            hosts.withLock { $0.policies = Dictionary(pairs) { first, _ in first } }
        }
    }

    /// Whether a host for which there is no policy isn't trusted.
    public final var allHostsMustBeEvaluated: Bool {
        get { hosts.withLock { $0.allHostsMustBeEvaluated } }
        set { hosts.withLock { $0.allHostsMustBeEvaluated = newValue } }
    }

    /// The policy for a host: the one that names it, else the one for the closest domain above it.
    public final func policy(forHost host: String) -> SecurityPolicy? {
        let policies = policies
        let name = SecurityPolicySettings.plain(host)
        if let policy = policies[name] { return policy }
        var labels = name.split(separator: ".").dropFirst()
        while !labels.isEmpty {
            if let policy = policies["*." + labels.joined(separator: ".")] { return policy }
            labels = labels.dropFirst()
        }
        return nil
    }

    /// What the host's policy says. Without a `domain` the host that was connected to counts.
    open override func verdict(
        on serverTrust: SecTrust,
        forDomain domain: String?
    ) -> ServerTrustVerdict {
        let host = domain ?? serverTrust.host
        if let policy = policy(forHost: host) {
            return policy.verdict(on: serverTrust, forDomain: domain)
        }
        guard !allHostsMustBeEvaluated else { return .refused(.noPolicy(host)) }
        return SecurityPolicy().verdict(on: serverTrust, forDomain: domain)
    }

    /// A policy with copies of the hosts' policies.
    open override func copy() -> Self {
        let copy = super.copy()
        let hosts = hosts.withLock { $0 }
        copy.hosts.withLock { copied in
            copied = hosts
            copied.policies = hosts.policies.mapValues { $0.copy() }
        }
        return copy
    }
}
