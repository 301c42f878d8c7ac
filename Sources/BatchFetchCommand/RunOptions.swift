import ArgumentParser
import BatchFetch

/// How the command is watched, ended and answered.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When failed URLs make the exit status 1: never, any, or more than so many of all.",
            valueName: "never|any|N%"
        )
    )
    var failOn = FailurePolicy.any

    @Option(
        help: ArgumentHelp(
            "Time that URLs in flight have after SIGINT or SIGTERM to come to their ends.",
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var grace: Duration = .seconds(10)

    @Option(
        name: .customLong("summary-json"),
        help: ArgumentHelp("File for the summary, as JSON.", valueName: "file")
    )
    var summaryJSON: String?

    @Option(
        help: ArgumentHelp(
            "Port of 127.0.0.1 on which Prometheus finds figures.",
            valueName: "127.0.0.1:port"
        )
    )
    var metrics: String?

    func validate() throws {
        if let metrics, MetricsServer.port(of: metrics) == nil {
            throw ValidationError(
                "--metrics is “\(metrics)”: use 127.0.0.1 and a port, as in 127.0.0.1:9464."
            )
        }
    }
}

extension RunOptions {
    /// What the session makes of it.
    var options: Session.Options {
        Session.Options(
            failOn: failOn,
            grace: grace,
            summaryPath: summaryJSON,
            metricsPort: metrics.flatMap { MetricsServer.port(of: $0) }
        )
    }
}
