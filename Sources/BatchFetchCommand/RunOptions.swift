import ArgumentParser
import BatchFetch

/// How the command is watched, ended and answered.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File of settings (TOML): the long names of options, and their values. Variables of the \
            environment (BATCHFETCH_PER_HOST=2) count before it, and options before both.
            """,
            valueName: "file"
        ),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "When failed URLs make the exit status 1: never, any, or more than so many of all.",
            valueName: "never|any|N%"
        ),
        completion: .list(["any", "never"])
    )
    var failOn = FailurePolicy.any

    @Option(
        help: ArgumentHelp(
            """
            Time that URLs in flight have after SIGINT or SIGTERM to come to their ends (default: \
            10s).
            """,
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var grace: Duration = .seconds(10)

    @Option(
        name: .customLong("summary-json"),
        help: ArgumentHelp(
            "File for the summary, as JSON; - for the standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var summaryJSON: String?

    @Option(
        help: ArgumentHelp(
            """
            File for a page (HTML) about the run: outcomes, latency, throughput, hosts, failures; - \
            for the standard output.
            """,
            valueName: "file"
        ),
        completion: .file(extensions: ["html"])
    )
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Port of 127.0.0.1 on which Prometheus finds figures.",
            valueName: "127.0.0.1:port"
        )
    )
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            """
            Tell what happens on the standard error output, from this level on: trace, debug, info, \
            notice, warning, error. No passwords, queries or header fields are told.
            """,
            valueName: "level"
        )
    )
    var logLevel: LogLevel?

    @Flag(
        help: "Show progress without colours, as the environment's NO_COLOR asks for, too."
    )
    var noColor = false

    func validate() throws {
        if let metrics, MetricsServer.port(of: metrics) == nil {
            throw ValidationError(
                "--metrics is “\(metrics)”: use 127.0.0.1 and a port, as in 127.0.0.1:9464."
            )
        }
        try checkPages()
    }
}

extension RunOptions {
    /// What is written at the end, by the options' names.
    private var pages: [(name: String, path: String?)] {
        [("--summary-json", summaryJSON), ("--report", report)]
    }

    /// The files that are read and written.
    var uses: [FileUse?] {
        [FileUse.reading(config, for: "--config")]
            + pages.map { FileUse.writing($0.path, for: $0.name) }
    }

    /// What goes to the standard output, by the options' names.
    var printed: [String] {
        pages.filter { $0.path == "-" }.map { "\($0.name) -" }
    }

    private func checkPages() throws {
        for (name, path) in pages where path == "" {
            throw ValidationError("\(name) is empty: name a file.")
        }
    }

    /// What the session makes of it.
    var options: Session.Options {
        Session.Options(
            failOn: failOn,
            grace: grace,
            summaryPath: summaryJSON,
            reportPath: report,
            metricsPort: metrics.flatMap { MetricsServer.port(of: $0) },
            hasColor: !noColor
        )
    }
}
