import ArgumentParser
import BatchFetch

/// Further attempts, and how long one may take.
struct RetryOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Further attempts for a URL that failed.", valueName: "n")
    )
    var retries = 3

    @Option(
        help: ArgumentHelp(
            "No Retry-After of a server counts as more than this (default: 2m).",
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var maxRetryAfter: Duration = .seconds(120)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Further attempts in percent of all URLs, beside the first 100.",
            valueName: "percent"
        )
    )
    var retryBudget = 20.0

    @Flag(help: "Repeat also what isn't idempotent (POST, PATCH) and may have been acted on.")
    var retryUnsafe = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Seconds that an attempt may take as a whole, redirects included. Without it an attempt may take as long \
            as bytes come.
            """,
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(
        help: ArgumentHelp("Time until there is a connection (default: 10s).", valueName: "time"),
        transform: OptionValue.limit
    )
    var connectTimeout: Duration = .seconds(10)

    @Option(
        help: ArgumentHelp(
            "Time from the request until the head of the answer has come (default: none).",
            valueName: "time"
        ),
        transform: OptionValue.limit
    )
    var firstByteTimeout: Duration?

    @Option(
        help: ArgumentHelp("Time without a single byte (default: 60s).", valueName: "time"),
        transform: OptionValue.limit
    )
    var stallTimeout: Duration = .seconds(60)

    func validate() throws {
        try FetchCommand.check("--retries", retries, atLeast: 0)
        guard (0...1_000_000).contains(retryBudget) else {
            throw ValidationError("--retry-budget is \(retryBudget): use 0 or more.")
        }
        if let timeout, !(timeout >= 0.001 && timeout <= 1e9) {
            throw ValidationError("--timeout is \(timeout): use seconds, 0.001 or more.")
        }
    }

    var policy: RetryPolicy {
        var policy = RetryPolicy(limit: retries, maximumRetryAfter: maxRetryAfter)
        policy.budgetShare = retryBudget / 100
        policy.repeatsUnsafeRequests = retryUnsafe
        return policy
    }

    var timeouts: BatchTimeouts {
        var timeouts = BatchTimeouts()
        timeouts.connect = connectTimeout
        timeouts.firstByte = firstByteTimeout
        timeouts.stall = stallTimeout
        return timeouts
    }
}
