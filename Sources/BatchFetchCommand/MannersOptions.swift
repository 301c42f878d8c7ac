import ArgumentParser
import BatchFetch

/// How servers are treated.
struct MannersOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Requests to one host: 5/s, 30/m, 100/h.", valueName: "rate"),
        transform: OptionValue.rate
    )
    var hostRate: RequestRate?

    @Option(
        help: ArgumentHelp(
            "Least time between two requests to one host: 2s, 500ms.",
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var delay: Duration?

    @Option(
        help: ArgumentHelp(
            """
            What holds for a host instead, and *.HOST for its subdomains: \
            'api.example.org: rate=5/s, concurrency=2, delay=1s'. May be given several times.
            """,
            valueName: "rule"
        ),
        transform: OptionValue.hostRule
    )
    var hostRule: [HostRule] = []

    @Flag(help: "Ask hosts more slowly that fail, refuse or get slow, until they have recovered.")
    var adaptive = false

    @Flag(
        inversion: .prefixedNo,
        help: "Leave hosts alone for a while that only fail (20 times in a row)."
    )
    var breaker = true

    @Option(
        help: ArgumentHelp(
            "Whether robots.txt is fetched first from each host, and obeyed: on or off.",
            valueName: "on|off"
        ),
        completion: .list(["on", "off"])
    )
    var robots = Switch.off

    @Option(
        help: ArgumentHelp(
            "No Crawl-delay of robots.txt counts as more than this (default: 30s).",
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var maxCrawlDelay: Duration = .seconds(30)

    @Option(
        help: ArgumentHelp(
            """
            Name of the program that asks, best with an address: \
            'example/1.0 (+https://example.org/bot)'.
            """,
            valueName: "text"
        )
    )
    var userAgent: String?

    @Option(
        help: ArgumentHelp(
            "E-mail address of who answers for the requests, sent as From.",
            valueName: "address"
        )
    )
    var from: String?

    /// A word for yes or no.
    enum Switch: String, ExpressibleByArgument, Sendable {
        case on
        case off
    }

    func validate() throws {
        let patterns = hostRule.map(\.pattern)
        for (index, pattern) in patterns.enumerated() where patterns[..<index].contains(pattern) {
            throw ValidationError(
                "Two values of --host-rule are about \(pattern): write one with all that holds for it."
            )
        }
    }

    var politeness: Politeness {
        var politeness = Politeness()
        politeness.rate = hostRate
        politeness.delay = delay
        politeness.rules = hostRule
        politeness.isAdaptive = adaptive
        politeness.breaker = breaker ? BreakerPolicy() : nil
        politeness.asksRobots = robots == .on
        politeness.maximumCrawlDelay = maxCrawlDelay
        politeness.userAgent = userAgent
        politeness.from = from
        return politeness
    }
}
