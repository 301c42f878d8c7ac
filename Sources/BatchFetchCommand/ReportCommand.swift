import ArgumentParser
import BatchFetch

/// `batchfetch report RESULTS`: makes a page of the results of a run.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batchfetch report",
        abstract: "Makes a page (HTML) of the results of a run.",
        discussion: """
            The page shows what became of the URLs, latency percentiles and throughput over time, \
            the slowest hosts, and what went wrong, with an example of each. It is one file that \
            loads nothing and runs nothing. Results may be of any length; lines that are damaged \
            are counted, and named on the page.

            EXAMPLES
              batchfetch report results.jsonl
              batchfetch report results.jsonl.gz --output report.html --title 'All of May'
            """
    )

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("File for the page; - for the standard output.", valueName: "file"),
        completion: .file(extensions: ["html"])
    )
    var output = "report.html"

    @Option(
        help: ArgumentHelp("Title of the page (default: the results' name).", valueName: "text")
    )
    var title: String?

    @Flag(name: [.short, .long], help: "Say nothing but errors.")
    var quiet = false

    @Argument(
        help: ArgumentHelp(
            "Results of a run, compressed by gzip or not; - for the standard input.",
            valueName: "results"
        ),
        completion: .file(extensions: ["jsonl", "gz"])
    )
    var results: String

    func validate() throws {
        guard !output.isEmpty else { throw ValidationError("--output is empty: name a file.") }
        let uses = [
            FileUse.reading(results, for: "the results"), FileUse.writing(output, for: "--output"),
        ]
        if let clash = FileUse.clash(of: uses) { throw ValidationError("\(clash).") }
    }

    func execute() throws(BatchFailure) -> ExitStatus {
        var report = RunReport()
        try report.read(resultsOf: results)
        guard report.damaged == 0 || report.count > 0 else {
            throw BatchFailure(
                .input,
                "“\(results)” has no line that is a result: name the results of a run (--results)"
            )
        }
        try report.write(to: output, title: title ?? Self.name(of: results))
        if report.damaged > 0 {
            let lines = report.damaged == 1 ? "1 line is" : "\(report.damaged) lines are"
            let first = report.damagedLines.first.map {
                ", the first line \($0.line): \($0.reason)"
            }
            Terminal().write("batchfetch: \(lines) damaged\(first ?? "")\n")
        }
        if !quiet, output != "-" {
            print("\(output): \(report.fetched) fetched, \(report.failed) failed")
        }
        return .success
    }

    /// The last part of the path.
    private static func name(of path: String) -> String {
        path == "-" ? "Standard input" : path.split(separator: "/").last.map(String.init) ?? path
    }
}
