public import CurlURLSession
internal import Synchronization

// `@unchecked Sendable`: its only stored property is a constant lock, which the compiler proves to
// be `Sendable` together with the state that it protects, as in its superclass.
/// Selects the policy of a server by its host.
///
/// Its own settings have no effect.
///
/// ```swift
/// manager.securityPolicy = PerHostSecurityPolicy(policies: [
///     "api.example.com": pinned,
///     "*.example.com": .default(),
/// ])
/// ```
open class PerHostSecurityPolicy: SecurityPolicy, @unchecked Sendable {
    private let hosts = Mutex<Hosts>(Hosts())

    private struct Hosts: Sendable {
        var policies: [String: SecurityPolicy] = [:]
        var allHostsMustBeEvaluated = true
    }

    /// Creates a policy that trusts no host.
    public required init() {
        super.init()
    }

    /// Creates a policy from the policies of hosts.
    ///
    /// - Parameters:
    ///   - policies: The policies by host, such as `api.example.com`. `*.example.com` matches all
    ///     hosts below `example.com` without a more specific entry. Case is ignored.
    ///   - allHostsMustBeEvaluated: Whether other hosts are rejected; `true` by default. Otherwise
    ///     the default policy evaluates them.
    public convenience init(
        policies: [String: SecurityPolicy],
        allHostsMustBeEvaluated: Bool = true
    ) {
        self.init()
        self.policies = policies
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    }

    /// The policies by host.
    ///
    /// Hosts are stored in lower case, without a trailing dot and without the brackets of an
    /// address.
    public final var policies: [String: SecurityPolicy] {
        get { hosts.withLock { $0.policies } }
        set {
            let pairs = newValue.map { (SecurityPolicySettings.plain($0), $1) }
            hosts.withLock { $0.policies = Dictionary(pairs) { first, _ in first } }
        }
    }

    /// Whether a host without a policy is rejected.
    public final var allHostsMustBeEvaluated: Bool {
        get { hosts.withLock { $0.allHostsMustBeEvaluated } }
        set { hosts.withLock { $0.allHostsMustBeEvaluated = newValue } }
    }

    /// Returns the policy of a host or of its closest parent domain.
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

    /// Evaluates with the policy of the host.
    ///
    /// Without a `domain`, the policy is selected by the host of the connection.
    open override func evaluation(
        of serverTrust: SecTrust,
        forDomain domain: String?
    ) -> ServerTrustEvaluation {
        let host = domain ?? serverTrust.host
        if let policy = policy(forHost: host) {
            return policy.evaluation(of: serverTrust, forDomain: domain)
        }
        guard !allHostsMustBeEvaluated else { return .refused(.noPolicy(host)) }
        return SecurityPolicy().evaluation(of: serverTrust, forDomain: domain)
    }

    /// Returns a policy with copies of the policies of all hosts.
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
