import ArgumentParser
import BatchFetch
import BatchReport

/// `batchfetch report RESULTS`: creates an HTML report from the results of a run.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batchfetch report",
        abstract: "Writes an HTML report of the results of a run.",
        discussion: """
            The page shows outcomes, latency percentiles and throughput over time, the slowest \
            hosts, and the failures with an example of each. It is a single file without scripts or \
            external resources. Results may be of any size; damaged lines are counted and listed.

            EXAMPLES
              batchfetch report results.jsonl
              batchfetch report results.jsonl.gz --output report.html --title 'All of May'
            """
    )

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("File to write the page to; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["html"])
    )
    var output = "report.html"

    @Option(
        help: ArgumentHelp("Title of the page (default: name of the results).", valueName: "text")
    )
    var title: String?

    @Flag(name: [.short, .long], help: "Print only errors.")
    var quiet = false

    @Argument(
        help: ArgumentHelp(
            "Results of a run, optionally compressed by gzip; - for standard input.",
            valueName: "results"
        ),
        completion: .file(extensions: ["jsonl", "gz"])
    )
    var results: String

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("--output is empty: name a file.") }
        let uses = [
            NamedFileArgument.reading(results, for: "the results"),
            NamedFileArgument.writing(output, for: "--output"),
        ]
        if let clash = NamedFileArgument.clash(of: uses) { throw ValidationError("\(clash).") }
    }

    func execute() throws(BatchFailure) -> ExitStatus {
        var report = RunReport()
        try report.read(resultsOf: results)
        guard report.damaged == 0 || report.count > 0 else {
            throw BatchFailure(
                .input,
                "“\(results)” contains no results: name a file that a run wrote with --results"
            )
        }
        try report.write(to: output, title: title ?? Self.name(of: results))
        if report.damaged > 0 {
            let lines = NumberFormat.counted(report.damaged, "damaged line", "damaged lines")
            let first = report.damagedLines.first.map {
                "; the first is line \($0.line): \($0.reason)"
            }
            Terminal().write("batchfetch: \(lines) skipped\(first ?? "")\n")
        }
        if !quiet, output != "-" {
            print("\(output): \(report.fetched) fetched, \(report.failed) failed")
        }
        return .success
    }

    /// The last component of the path.
    private static func name(of path: String) -> String {
        path == "-" ? "Standard input" : path.split(separator: "/").last.map(String.init) ?? path
    }
}
