/// The limits of one host.
struct HostPolicy: Sendable, Hashable {
    /// The maximum number of URLs in flight at once.
    var concurrency: Int
    /// The minimum time between two starts; zero for none.
    var interval: Duration
}

/// Finds the policy of a host: the most specific rule that matches wins.
struct HostPolicies: Sendable {
    private let usual: HostPolicy
    private let exact: [String: HostRule]
    private let subdomains: [HostRule]

    init(usual: HostPolicy, rules: [HostRule] = []) {
        self.usual = usual
        exact = Dictionary(
            rules.filter { !$0.pattern.hasPrefix("*") }.map { ($0.pattern, $0) },
            uniquingKeysWith: { $1 }
        )
        subdomains = rules.filter { $0.pattern.hasPrefix("*") }
            .sorted { $0.pattern.utf8.count > $1.pattern.utf8.count }
    }

    /// Whether hosts share the limits of a rule.
    var hasSharedRules: Bool {
        exact.values.contains { $0.isShared } || subdomains.contains { $0.isShared }
    }

    /// The most specific rule that matches a host; `nil` if none does.
    ///
    /// - Parameter key: The host, a colon and the port.
    func rule(of key: String) -> HostRule? {
        guard !exact.isEmpty || !subdomains.isEmpty else { return nil }
        let host = HostName.host(ofKey: key)
        return exact[key] ?? exact[host]
            ?? subdomains.first {
                let domain = $0.pattern.dropFirst()
                return host.hasSuffix(domain) || key.hasSuffix(domain)
            }
    }

    /// - Parameter key: The host, a colon and the port.
    subscript(key: String) -> HostPolicy {
        guard let rule = rule(of: key) else { return usual }
        return HostPolicy(
            concurrency: rule.concurrency ?? usual.concurrency,
            interval: rule.interval ?? usual.interval
        )
    }
}
