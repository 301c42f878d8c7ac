/// What holds for some hosts instead of for all.
public struct HostRule: Sendable, Hashable {
    /// A host (`api.example.org`), a host and a port (`example.org:8080`), or `*.example.org` for a
    /// host's subdomains, with or without a port. An IPv6 address with a port is in brackets.
    public let pattern: String
    /// The most URLs of such a host in flight at once.
    public var concurrency: Int?
    /// How many requests to such a host may be started in a time.
    public var rate: RequestRate?
    /// The least time between two starts.
    public var delay: Duration?

    /// Creates a rule that changes nothing.
    public init(pattern: String) {
        self.pattern = Self.canonical(pattern) ?? pattern.lowercased()
    }

    /// Reads `api.example.org: rate=5/s, concurrency=2, delay=500ms`.
    ///
    /// - Throws: ``BatchFailure/Code/configuration``, in words that help.
    public init(parsing text: String) throws(BatchFailure) {
        // The host may have a port: what is set stands behind the last colon.
        guard let colon = text.lastIndex(of: ":"), text[colon...].contains("=") else {
            throw Self.failure(text, "it has no “host: name=value”")
        }
        let host = text[..<colon].drop { $0.isWhitespace }
        guard let pattern = Self.canonical(String(host)) else {
            throw Self.failure(
                text,
                "“\(host)” is no host, and no *. before one: write it without a scheme and a path"
            )
        }
        self.pattern = pattern
        for part in text[text.index(after: colon)...].split(separator: ",") {
            let setting = part.filter { !$0.isWhitespace }
            if !setting.isEmpty { try set(setting, of: text) }
        }
    }

    /// As the keys of hosts are written; `nil` where no URL has such a host.
    private static func canonical(_ pattern: String) -> String? {
        var host = pattern
        while host.last?.isWhitespace == true { host.removeLast() }
        let hasSubdomains = host.hasPrefix("*.")
        if hasSubdomains { host.removeFirst(2) }
        // Several colons without a bracket are an IPv6 address and no port.
        let isIPv6 = !host.hasPrefix("[") && host.count { $0 == ":" } > 1
        if isIPv6 { host = "[\(host)]" }
        guard !host.isEmpty, host.first != ".", !host.contains(where: { "*/?#@".contains($0) }),
            let target = try? FetchTarget("http://\(host)"), !target.host.isEmpty
        else { return nil }
        let hasPort = host.last?.isNumber == true && host.hasSuffix(":\(target.port)")
        let name = hasPort ? target.hostKey : target.host
        return hasSubdomains ? "*.\(name)" : name
    }

    private mutating func set(_ setting: String, of text: String) throws(BatchFailure) {
        let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Self.failure(text, "“\(setting)” is no name=value") }
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
            throw Self.failure(text, "“\(parts[0])” is none of concurrency, rate and delay")
        }
    }

    private static func failure(_ text: String, _ reason: String) -> BatchFailure {
        BatchFailure(.configuration, "the host rule “\(text)” can't be read: \(reason)")
    }
}
