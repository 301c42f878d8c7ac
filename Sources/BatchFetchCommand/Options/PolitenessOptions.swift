import ArgumentParser
import BatchFetch

/// The politeness options.
struct PolitenessOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rate limit per host: 5/s, 30/m, 100/h; 5 is 5/s.", valueName: "rate"),
        transform: OptionValue.rate
    )
    var hostRate: RequestRate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Minimum time between two requests to one host: 2s, 500ms.",
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var delay: Duration?

    @Option(
        help: ArgumentHelp(
            """
            Limits for one host, or *.HOST for each of its subdomains: \
            'api.example.org: rate=5/s, concurrency=2, delay=1s'. With the word all they hold for all \
            subdomains together: '*.example.net: all, concurrency=1'. May be repeated.
            """,
            valueName: "rule"
        ),
        transform: OptionValue.hostRule
    )
    var hostRule: [HostRule] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            URLs in flight at once per registrable domain, such as example.co.uk with all its \
            subdomains (default: none).
            """,
            valueName: "n"
        )
    )
    var perDomain: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            URLs in flight at once per IP address, which is looked up first, also for URLs that are \
            fetched through a proxy (default: none).
            """,
            valueName: "n"
        )
    )
    var perAddress: Int?

    @Flag(help: "Slow down for hosts that fail, refuse or become slow, until they recover.")
    var adaptive = false

    @Flag(
        inversion: .prefixedNo,
        help: "Pause requests to a host after 20 failures in a row."
    )
    var breaker = true

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Give up a host after this many pauses in a row that it requested by Retry-After, without \
            a success; not with --no-breaker.
            """,
            valueName: "n"
        )
    )
    var maxWaits = 10

    @Option(
        help: ArgumentHelp(
            "Whether to fetch and obey robots.txt of each host: on or off.",
            valueName: "on|off"
        ),
        completion: .list(["on", "off"])
    )
    var robots = Switch.off

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Maximum Crawl-delay of robots.txt; a longer one is cut to this (default: 30s). Needs \
            --robots on.
            """,
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var maxCrawlDelay: Duration?

    @Option(
        help: ArgumentHelp(
            """
            User-Agent to send, preferably with a contact address: \
            'example/1.0 (+https://example.org/bot)'.
            """,
            valueName: "text"
        )
    )
    var userAgent: String?

    @Option(
        help: ArgumentHelp(
            "Contact e-mail address, sent as From.",
            valueName: "address"
        )
    )
    var from: String?

    /// An option value for on or off.
    enum Switch: String, ExpressibleByArgument, Sendable {
        case on
        case off
    }

    func validate() throws {
        try OptionValue.check("--max-waits", maxWaits, atLeast: 1)
        try OptionValue.check("--per-domain", perDomain, atLeast: 1)
        try OptionValue.check("--per-address", perAddress, atLeast: 1)
        guard maxCrawlDelay == nil || robots == .on else {
            throw ValidationError(
                "--max-crawl-delay needs --robots on: add it, or remove --max-crawl-delay."
            )
        }
        let patterns = hostRule.map(\.pattern)
        for (index, pattern) in patterns.enumerated() where patterns[..<index].contains(pattern) {
            throw ValidationError(
                "--host-rule is given twice for \(pattern): merge the two rules into one."
            )
        }
    }

    var politeness: Politeness {
        var politeness = Politeness()
        politeness.rate = hostRate
        politeness.delay = delay
        politeness.rules = hostRule
        politeness.concurrencyPerDomain = perDomain
        politeness.concurrencyPerAddress = perAddress
        politeness.isAdaptive = adaptive
        politeness.breaker = breaker ? BreakerPolicy(waits: maxWaits) : nil
        politeness.obeysRobots = robots == .on
        politeness.maximumCrawlDelay = maxCrawlDelay ?? .seconds(30)
        politeness.userAgent = userAgent
        politeness.from = from
        return politeness
    }
}
