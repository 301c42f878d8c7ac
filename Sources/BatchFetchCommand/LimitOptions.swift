import ArgumentParser
import BatchFetch

/// What a run may use in all.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Requests to all hosts together: 500/s.", valueName: "rate"),
        transform: OptionValue.rate
    )
    var rate: RequestRate?

    @Option(
        help: ArgumentHelp("Bytes a second, of all bodies together: 20M.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var bandwidth: Int64?

    @Option(
        help: ArgumentHelp("Bytes of one body; a longer one fails.", valueName: "bytes"),
        transform: OptionValue.bytes
    )
    var maxBytes: Int64?

    @Option(
        help: ArgumentHelp("Bytes of all bodies; then the run ends.", valueName: "bytes"),
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
