/// Limits that replace the general ones for some hosts.
public struct HostRule: Sendable, Hashable {
    /// The hosts that the rule matches.
    ///
    /// A host (`api.example.org`), a host and a port (`example.org:8080`), or `*.example.org` for
    /// subdomains, with or without a port. An IPv6 address with a port is in brackets.
    public let pattern: String
    /// The maximum number of URLs of one host in flight; `nil` for the general limit.
    public var concurrency: Int?
    /// The rate limit of one host; `nil` for none.
    public var rate: RequestRate?
    /// The minimum time between two starts; `nil` for none. With a rate too, the slower applies.
    public var delay: Duration?
    /// Whether all hosts that the rule matches share its limits; `false` by default.
    ///
    /// With `false`, each host and port has these limits for itself. With `true`, they limit all
    /// matching hosts together: `*.example.net` with a concurrency of 1 allows one request to any
    /// subdomain, and `example.net` one to any of its ports.
    public var isShared = false

    /// Creates a rule that changes nothing.
    public init(pattern: String) {
        self.pattern = Self.canonical(pattern) ?? pattern.lowercased()
    }

    /// Parses `api.example.org: rate=5/s, concurrency=2, delay=500ms`.
    ///
    /// With `all` among the settings all matching hosts share the limits (``isShared``):
    /// `*.example.net: all, concurrency=1`. The opposite, `each`, is the default.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` with a message that explains the problem.
    public init(parsing text: String) throws(BatchFailure) {
        // The host may have a port, so the last colon separates it from the settings.
        guard let colon = text.lastIndex(of: ":"), text[colon...].contains("=") else {
            throw Self.failure(text, "“host: name=value” is missing")
        }
        let host = text[..<colon].drop { $0.isWhitespace }
        guard let pattern = Self.canonical(String(host)) else {
            throw Self.failure(
                text,
                "“\(host)” is neither a host nor *.HOST: remove scheme and path"
            )
        }
        self.pattern = pattern
        for part in text[text.index(after: colon)...].split(separator: ",") {
            let setting = part.filter { !$0.isWhitespace }
            if !setting.isEmpty { try set(setting, of: text) }
        }
    }

    /// The pattern in the form of host keys; `nil` if no URL can have such a host.
    private static func canonical(_ pattern: String) -> String? {
        var host = pattern
        while host.last?.isWhitespace == true { host.removeLast() }
        let hasSubdomains = host.hasPrefix("*.")
        if hasSubdomains { host.removeFirst(2) }
        // Several colons without a bracket are an IPv6 address without a port.
        let isIPv6 = !host.hasPrefix("[") && host.count { $0 == ":" } > 1
        if isIPv6 { host = "[\(host)]" }
        guard !host.isEmpty, host.first != ".", !host.contains(where: { "*/?#@".contains($0) }),
            let target = try? FetchTarget("http://\(host)"), !target.host.isEmpty
        else { return nil }
        let hasPort = host.last?.isNumber == true && host.hasSuffix(":\(target.port)")
        let name = hasPort ? target.hostKey : target.host
        return hasSubdomains ? "*.\(name)" : name
    }

    /// The minimum time between two starts; `nil` if the rule has neither a rate nor a delay.
    var interval: Duration? {
        guard rate != nil || delay != nil else { return nil }
        return max(rate?.interval ?? .zero, delay ?? .zero)
    }

    private mutating func set(_ setting: String, of text: String) throws(BatchFailure) {
        if setting == "all" || setting == "each" {
            isShared = setting == "all"
            return
        }
        let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw Self.failure(text, "“\(setting)” is neither name=value nor all or each")
        }
        switch parts[0] {
        case "concurrency":
            concurrency = Int(parts[1]).flatMap { $0 > 0 ? $0 : nil }
            guard concurrency != nil else {
                throw Self.failure(text, "concurrency is “\(parts[1])”: use 1 or more")
            }
        case "rate":
            rate = RequestRate(parts[1])
            guard rate != nil else {
                throw Self.failure(text, "rate is “\(parts[1])”: use 5/s, 30/m or 100/h")
            }
        case "delay":
            delay = DurationText.duration(parts[1])
            guard delay != nil else {
                throw Self.failure(text, "delay is “\(parts[1])”: use 2s or 500ms")
            }
        default:
            throw Self.failure(text, "“\(parts[0])” is unknown: use concurrency, rate or delay")
        }
    }

    private static func failure(_ text: String, _ reason: String) -> BatchFailure {
        BatchFailure(.configuration, "the host rule “\(text)” is invalid: \(reason)")
    }
}
