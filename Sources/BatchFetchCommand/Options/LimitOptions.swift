import ArgumentParser
import BatchFetch

/// The limits for the whole run.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Rate limit of all requests: 500/s.", valueName: "rate"),
        transform: OptionValue.rate
    )
    var rate: RequestRate?

    @Option(
        help: ArgumentHelp("Bytes per second of all bodies together: 20M.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var bandwidth: Int64?

    @Option(
        help: ArgumentHelp("Maximum bytes of one body; a longer body fails.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var maxBytes: Int64?

    @Option(
        help: ArgumentHelp("Maximum bytes of all bodies; then the run ends.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var maxTotal: Int64?

    var limits: BatchLimits {
        var limits = BatchLimits()
        limits.rate = rate
        limits.bandwidth = bandwidth
        limits.maximumBodyBytes = maxBytes
        limits.maximumTotalBytes = maxTotal
        return limits
    }
}
