import ArgumentParser
import BatchFetch

/// The options for retries and timeouts.
struct RetryOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum retries per URL.", valueName: "n")
    )
    var retries = 3

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum Retry-After; a longer one is cut to this (default: 2m).",
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var maxRetryAfter: Duration = .seconds(120)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum retries in percent of all URLs, besides the first 100.",
            valueName: "percent"
        )
    )
    var retryBudget = 20.0

    @Flag(help: "Retry even POST and PATCH requests that may have been processed.")
    var retryUnsafe = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Maximum seconds of an attempt, including redirects. By default, an attempt may last as \
            long as bytes arrive.
            """,
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum time to connect (default: 10s).", valueName: "time"),
        transform: OptionValue.limit
    )
    var connectTimeout: Duration = .seconds(10)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum time from the request to the head of the response (default: none).",
            valueName: "time"
        ),
        transform: OptionValue.limit
    )
    var firstByteTimeout: Duration?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum time without any data (default: 60s).", valueName: "time"),
        transform: OptionValue.limit
    )
    var stallTimeout: Duration = .seconds(60)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Minimum bytes per second of a body: 500, 10k. A slower one fails with a timeout (default: \
            none).
            """,
            valueName: "bytes"
        ),
        transform: OptionValue.bytes
    )
    var minSpeed: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time over which --min-speed is measured (default: 30s).",
            valueName: "time"
        ),
        transform: OptionValue.limit
    )
    var minSpeedTime: Duration?

    func validate() throws {
        try OptionValue.check("--retries", retries, atLeast: 0)
        guard (0...1_000_000).contains(retryBudget) else {
            throw ValidationError("--retry-budget is \(retryBudget): use 0 or more.")
        }
        guard minSpeedTime == nil || minSpeed != nil else {
            throw ValidationError("--min-speed-time needs --min-speed: add it.")
        }
        if let timeout, !(timeout >= 0.001 && timeout <= 1e9) {
            throw ValidationError("--timeout is \(timeout): use seconds, 0.001 or more.")
        }
    }

    var policy: BatchRetryPolicy {
        var policy = BatchRetryPolicy(limit: retries, maximumRetryAfter: maxRetryAfter)
        policy.budgetShare = retryBudget / 100
        policy.repeatsUnsafeRequests = retryUnsafe
        return policy
    }

    var timeouts: BatchTimeouts {
        var timeouts = BatchTimeouts()
        timeouts.connect = connectTimeout
        timeouts.firstByte = firstByteTimeout
        timeouts.stall = stallTimeout
        timeouts.minimumSpeed = minSpeed.map {
            MinimumSpeed(bytesPerSecond: $0, window: minSpeedTime ?? .seconds(30))
        }
        return timeouts
    }
}
