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

    /// - Parameter key: The host, a colon and the port.
    subscript(key: String) -> HostPolicy {
        guard !exact.isEmpty || !subdomains.isEmpty else { return usual }
        let host = key.lastIndex(of: ":").map { String(key[..<$0]) } ?? key
        let rule =
            exact[key] ?? exact[host]
            ?? subdomains.first {
                let domain = $0.pattern.dropFirst()
                return host.hasSuffix(domain) || key.hasSuffix(domain)
            }
        guard let rule else { return usual }
        let isPaced = rule.rate != nil || rule.delay != nil
        return HostPolicy(
            concurrency: rule.concurrency ?? usual.concurrency,
            interval: isPaced
                ? max(rule.rate?.interval ?? .zero, rule.delay ?? .zero) : usual.interval
        )
    }
}
