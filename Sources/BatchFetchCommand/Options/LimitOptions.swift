import ArgumentParser
import BatchFetch

/// The limits for the whole run.
struct LimitOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rate limit of all requests: 500/s.", valueName: "rate"),
        transform: OptionValue.rate
    )
    var rate: RequestRate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Bytes per second of all bodies together: 20M.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var bandwidth: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum bytes of one body; a longer body fails.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var maxBytes: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum bytes of all bodies; then the run ends.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var maxTotal: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Maximum time of the run: 90s, 30m, 8h. Then it ends as by SIGTERM, with --grace and exit \
            status 124; --journal resumes it.
            """,
            valueName: "time"
        ),
        transform: OptionValue.limit
    )
    var maxTime: Duration?

    var limits: BatchLimits {
        var limits = BatchLimits()
        limits.rate = rate
        limits.bandwidth = bandwidth
        limits.maximumBodyBytes = maxBytes
        limits.maximumTotalBytes = maxTotal
        limits.maximumTime = maxTime
        return limits
    }
}
