import ArgumentParser
import BatchFetch

/// The options for progress, reports, signals and settings.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Read settings from this TOML file: long names of options and their values. Environment \
            variables (BATCHFETCH_PER_HOST=2) take precedence over it, options over both.
            """,
            valueName: "file"
        ),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if URLs failed: never, any, or more than N% of all.",
            valueName: "never|any|N%"
        ),
        completion: .list(["any", "never"])
    )
    var failOn = FailurePolicy.any

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Time for URLs in flight to complete after SIGINT, SIGTERM or --max-time (default: 10s).
            """,
            valueName: "time"
        ),
        transform: OptionValue.duration
    )
    var grace: Duration = .seconds(10)

    @Option(
        name: .customLong("summary-json"),
        help: ArgumentHelp(
            "Write the summary as JSON to this file; - for standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var summaryJSON: String?

    @Option(
        help: ArgumentHelp(
            """
            Write an HTML report to this file: outcomes, latency, throughput, hosts, failures; - for \
            standard output.
            """,
            valueName: "file"
        ),
        completion: .file(extensions: ["html"])
    )
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Serve metrics for Prometheus on this port of 127.0.0.1.",
            valueName: "127.0.0.1:port"
        )
    )
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            """
            Log events of this level and above to standard error: trace, debug, info, notice, \
            warning, error. Passwords, queries and header fields are never logged.
            """,
            valueName: "level"
        )
    )
    var logLevel: LogLevel?

    @Flag(
        help: "Show progress without colours, like the environment variable NO_COLOR."
    )
    var noColor = false

    func validate() throws {
        if let metrics, MetricsServer.port(of: metrics) == nil {
            throw ValidationError(
                "--metrics is “\(metrics)”: use 127.0.0.1 and a port, such as 127.0.0.1:9464."
            )
        }
        try checkPages()
    }
}

extension RunOptions {
    /// The files that are written at the end, with their options.
    private var pages: [(name: String, path: String?)] {
        [("--summary-json", summaryJSON), ("--report", report)]
    }

    /// The files that these options read and write.
    var uses: [NamedFileArgument?] {
        [NamedFileArgument.reading(config, for: "--config")]
            + pages.map { NamedFileArgument.writing($0.path, for: $0.name) }
    }

    /// The options that use the standard output.
    var printed: [String] {
        pages.filter { $0.path == "-" }.map { "\($0.name) -" }
    }

    private func checkPages() throws {
        for (name, path) in pages where path == "" {
            throw ValidationError("\(name) is empty: name a file.")
        }
    }

    /// The options in the form that a ``ConsoleRun`` needs.
    var options: ConsoleRun.Options {
        ConsoleRun.Options(
            failOn: failOn,
            grace: grace,
            summaryPath: summaryJSON,
            reportPath: report,
            metricsPort: metrics.flatMap { MetricsServer.port(of: $0) },
            hasColor: !noColor
        )
    }
}
