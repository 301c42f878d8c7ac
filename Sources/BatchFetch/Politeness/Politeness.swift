/// How hosts are treated, beside ``BatchConfiguration/concurrencyPerHost``.
public struct Politeness: Sendable, Hashable {
    /// How many requests to one host may be started in a time.
    public var rate: RequestRate?
    /// The least time between two starts at one host. With a rate too, the slower counts.
    public var delay: Duration?
    /// What holds for some hosts instead.
    public var rules: [HostRule] = []
    /// Whether a host that struggles is asked more slowly, until it has recovered. Off unless told
    /// otherwise.
    public var isAdaptive = false
    /// When a host that only fails is left alone; `nil` for never.
    public var breaker: BreakerPolicy? = BreakerPolicy()
    /// Whether each host's `robots.txt` (RFC 9309) is fetched first, and obeyed. Off unless told
    /// otherwise: the URLs of a list are somebody's choice. A host whose file can't be had is left
    /// alone for a minute.
    public var asksRobots = false
    /// A `Crawl-delay` of `robots.txt` counts as this where it asks for more.
    public var maximumCrawlDelay = Duration.seconds(30)
    /// Sent as `User-Agent`, and what `robots.txt` is read for: a product, and better an address
    /// too: `example/1.0 (+https://example.org/bot)`.
    public var userAgent: String?
    /// Sent as `From` (RFC 9110, 10.1.2): the e-mail address of who answers for the run.
    public var from: String?

    /// Creates the usual manners.
    public init() {}

    /// The name by which `robots.txt` knows the run.
    var token: String {
        let name = (userAgent ?? "batchfetch").prefix {
            $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-")
        }
        return name.isEmpty ? "batchfetch" : name.lowercased()
    }

    func policies(concurrency: Int) -> HostPolicies {
        let interval = max(rate?.interval ?? .zero, delay ?? .zero)
        return HostPolicies(
            usual: HostPolicy(concurrency: max(1, concurrency), interval: interval),
            rules: rules
        )
    }
}
