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
        help: ArgumentHelp("File for the summary, as JSON.", valueName: "file"),
        completion: .file()
    )
    var summaryJSON: String?

    @Option(
        help: ArgumentHelp(
            "File for a page (HTML) about the run: outcomes, latency, throughput, hosts, failures.",
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
    }
}

extension RunOptions {
    /// What is written at the end must not replace what is read or written before.
    func check(results: String?, files: [String]) throws {
        let taken = Set([results].compactMap { $0 } + files)
        for (name, path) in [("--report", report), ("--summary-json", summaryJSON)] {
            guard let path else { continue }
            guard !path.isEmpty else { throw ValidationError("\(name) is empty: name a file.") }
            guard !taken.contains(path) else {
                throw ValidationError("\(name) would replace “\(path)”: name another file.")
            }
        }
        guard report == nil || report != summaryJSON else {
            throw ValidationError("--report and --summary-json are one file: name another.")
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
