/// The politeness settings for hosts, in addition to ``BatchConfiguration/concurrencyPerHost``.
public struct Politeness: Sendable, Hashable {
    /// The rate limit of one host; `nil` (the default) for none.
    public var rate: RequestRate?
    /// The minimum time between two starts at one host; `nil` (the default) for none.
    ///
    /// If a rate is set too, the slower applies.
    public var delay: Duration?
    /// The maximum number of URLs in flight of one registrable domain; `nil` (the default) for none.
    ///
    /// A registrable domain is a public suffix and one more label: `a.example.co.uk` and
    /// `b.example.co.uk` belong to `example.co.uk`. The source is Mozilla's public suffix list, in
    /// the version of libpsl or of the system. A host without one, such as an IP address or
    /// `localhost`, counts for itself, with all its ports.
    public var concurrencyPerDomain: Int?
    /// The maximum number of URLs in flight of one IP address; `nil` (the default) for none.
    ///
    /// The run looks up the addresses of each host before its first request, with `getaddrinfo`,
    /// and again for later URLs when the host was idle. Hosts in ``BatchConnection/addresses`` have
    /// the addresses given there. A request counts for each address of its host, because the
    /// transport connects to any of them. A host whose name has no address here isn't limited.
    /// Connections through a proxy or a Unix socket are counted in the same way, by the addresses of
    /// the URL's host, not by those of the proxy.
    public var concurrencyPerAddress: Int?
    /// Rules that replace the general limits for some hosts; none by default.
    public var rules: [HostRule] = []
    /// Whether a struggling host gets fewer requests until it recovers; `false` by default.
    public var isAdaptive = false
    /// The circuit breaker for hosts that keep failing; `nil` for none.
    public var breaker: BreakerPolicy? = BreakerPolicy()
    /// Whether each host's `robots.txt` (RFC 9309) is fetched first and obeyed.
    ///
    /// `false` by default, because the URLs of a list are chosen by a person. If the file of a host
    /// can't be fetched, the host gets no requests for a minute.
    public var obeysRobots = false
    /// The cap for the `Crawl-delay` of a `robots.txt`; 30 s by default.
    public var maximumCrawlDelay = Duration.seconds(30)
    /// The `User-Agent` field, which also selects the group in `robots.txt`. By default the
    /// field is the transport's own, and the group that of `batchfetch`.
    ///
    /// A product, preferably with an address: `example/1.0 (+https://example.org/bot)`.
    public var userAgent: String?
    /// The `From` field (RFC 9110, 10.1.2): the e-mail address of the person responsible. It isn't
    /// sent by default.
    public var from: String?

    /// Creates the default settings.
    public init() {}

    /// The product token of the run in `robots.txt`.
    var token: String {
        let name = (userAgent ?? "batchfetch").prefix {
            $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-")
        }
        return name.isEmpty ? "batchfetch" : name.lowercased()
    }

    var groups: GroupLimits {
        GroupLimits(perDomain: concurrencyPerDomain, perAddress: concurrencyPerAddress)
    }

    func policies(concurrency: Int) -> HostPolicies {
        let interval = max(rate?.interval ?? .zero, delay ?? .zero)
        return HostPolicies(
            usual: HostPolicy(concurrency: max(1, concurrency), interval: interval),
            rules: rules
        )
    }
}
