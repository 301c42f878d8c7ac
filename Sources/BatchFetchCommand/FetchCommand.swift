import ArgumentParser
import BatchFetch
import Logging

/// `batchfetch FILE`: fetches the URLs of a list.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batchfetch",
        abstract: "Fetches many URLs at once, in constant memory however many there are.",
        usage: """
            batchfetch [OPTIONS] FILE …
            batchfetch [OPTIONS] -
            batchfetch report RESULTS [--output report.html]
            batchfetch demo [--objects N] [--concurrency N]
            """,
        discussion: """
            URLs are read from FILE, or from the standard input for -, one a line, while others \
            are being fetched. Blank lines and lines that begin with # are skipped. A line of \
            JSONL is an object with url, and perhaps method, headers, body (or body_base64, \
            body_file), timeout, out, sha256, sha1, md5, tag, priority. Hosts take turns, in a list \
            that is sorted by host, too: what waits for a slow one is kept in a file without a name \
            below TMPDIR (or /tmp), some 25 bytes more than its URL for each. What may \
            pass by itself (a lost connection, 429, 503 …) is tried again; a Retry-After is kept, for \
            the whole host. Redirects, up to 20, wait for their turn at the host that they lead to; \
            Authorization, Cookie, X-API-Key and the like go to no other one.

            EXAMPLES
              Keep the pages of a list, and a line of JSON for each:
                batchfetch --output pages --results results.jsonl urls.txt

              Check links that come from another program, 1,000 at a time:
                find-links | batchfetch --discard -c 1000 --results - - > results.jsonl

              A thousand pictures, 10,000 to a tar file, verified by a list of checksums:
                batchfetch --output shards --tar 10000 --sha256-col sha256 pictures.csv.gz
                batchfetch --output pages --glob 'https://example.org/{001..999}.jpg'

              Be gentle to the servers, and patient:
                batchfetch --output pages --per-host 1 --retries 5 --timeout 120 urls.txt

              See it work, without anything from outside:
                batchfetch demo

            FILES in DIR are called host/path, or host/path~hash where a name has to be made safe \
            or different (a query, for instance), or as --out says; one of an earlier run is \
            replaced, unless --existing says otherwise.

            SETTINGS may stand in a file, too (--config batchfetch.toml), by the long names of \
            options: concurrency = 512. And in the environment: BATCHFETCH_CONCURRENCY=512. An option \
            counts before the environment, and that before the file.

            EXIT STATUS
              0    all were fetched, or enough for --fail-on
              1    some were not
              2    wrong usage
              3    FILE can't be read, or not to its end
              4    bodies, results or the journal can't be written or used, or the system has no more \
            to give
              130  ended by SIGINT: what was done is in the results, or fetched again with the journal
              143  ended by SIGTERM, in the same way

            SIGNALS
              SIGINT, SIGTERM  start nothing, and end what is in flight after --grace; a second one \
            ends at once
              SIGHUP           begin the results' file anew (not with --journal, which has one)
              SIGUSR1          tell how far it is
            """,
        version: version
    )

    static let version = "0.1.0"

    // Unconditional, so that a negative number is a value that can be answered, not an option.
    @Option(
        name: [.short, .long],
        parsing: .unconditional,
        help: ArgumentHelp("URLs in flight at once (default: 256).", valueName: "n")
    )
    var concurrency: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("URLs of one host in flight at once.", valueName: "n")
    )
    var perHost = 6

    @Flag(
        inversion: .prefixedNo,
        help: """
            Offer HTTP/2 to https servers, and share connections with those that take it (default: \
            with libcurl 8.0 or newer; older ones may take a broken body without a length for whole).
            """
    )
    var http2: Bool?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            """
            File for the results, a line of JSON each; - for the standard output. The url of a \
            line is as the list has it, user name and password included.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var results: String?

    @OptionGroup(title: "Input")
    var source: InputOptions

    @OptionGroup(title: "Output")
    var target: OutputOptions

    @OptionGroup(title: "Manners")
    var manners: MannersOptions

    @OptionGroup(title: "Further attempts and time limits")
    var attempts: RetryOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Going on later")
    var journal: JournalOptions

    @OptionGroup(title: "Watching, ending, settings")
    var watching: RunOptions

    @Flag(name: [.short, .long], help: "Show neither progress nor the summary, only errors.")
    var quiet = false

    func validate() throws {
        try Self.check("--concurrency", concurrency, atLeast: 1)
        try Self.check("--per-host", perHost, atLeast: 1)
        try journal.check(files: source.files, results: results)
        if let clash = FileUse.clash(of: uses) { throw ValidationError("\(clash).") }
        guard journal.journal == nil || target.output != "-" else {
            throw ValidationError(
                "--output - is for one body, which a --journal can't go on with: name a folder."
            )
        }
        guard results == nil || !target.stdoutJsonl else {
            throw ValidationError("--stdout-jsonl is where the results go: leave out --results.")
        }
        let printed =
            target.printed + (results == "-" ? ["--results -"] : []) + watching.printed
        guard printed.count <= 1 else {
            throw ValidationError(
                "\(printed.joined(separator: " and ")) exclude each other: name a file."
            )
        }
    }

    /// The files that are read and written.
    private var uses: [FileUse?] {
        source.files.map { FileUse.reading(list: $0) } + [.writing(results, for: "--results")]
            + journal.uses + watching.uses
    }

    static func check(_ name: String, _ value: Int?, atLeast least: Int) throws {
        guard let value, value < least else { return }
        throw ValidationError("\(name) is \(value): use \(least) or more.")
    }

    func execute(_ stopper: Stopper) async throws -> ExitStatus {
        var session = Session(
            isQuiet: quiet,
            resultsPath: target.stdoutJsonl ? "-" : results,
            stopper: stopper,
            options: watching.options
        )
        session.isOutputTaken = !(target.printed + watching.printed).isEmpty
        session.isBodyPrinted = target.output == "-"
        session.isDryRun = target.dryRun
        session.obeysRobots = manners.politeness.asksRobots
        session.title = source.title
        session.hasEarlierResults = !journal.failedFrom.isEmpty
        session.logger = watching.logLevel?.logger
        var configuration = BatchConfiguration(
            concurrencyPerHost: perHost,
            timeout: attempts.timeout.map { .seconds($0) },
            retry: attempts.policy
        )
        try target.apply(to: &configuration)
        configuration.politeness = manners.politeness
        if configuration.politeness.userAgent == nil {
            configuration.politeness.userAgent = "batchfetch/\(Self.version)"
        }
        configuration.timeouts = attempts.timeouts
        configuration.limits = limits.limits
        configuration.concurrency = session.concurrency(
            asked: concurrency,
            writesFiles: target.writesFiles
        )
        session.warn(ofConnections: min(configuration.concurrency, perHost))
        configuration.lookAhead = max(configuration.lookAhead, 4 * configuration.concurrency)
        configuration.logger = session.logger
        configuration.sparedFiles = FileUse.paths(of: uses)
        configuration.offersHTTP2 = http2
        configuration.since = try journal.earlierResponses()
        let batch = Batch(configuration)
        let folder = target.writesFiles ? target.output : nil
        guard !target.dryRun else {
            let input = source.input(journal.plannedLists(source.files))
            return try await session.plan(
                batch,
                input,
                journal: try journal.snapshot(of: input, results: results, output: folder),
                skipping: try journal.earlier()
            )
        }
        guard let lists = try journal.lists(source.files, stopper) else {
            session.tellCopyEnded()
            return .interrupted(signal: stopper.signal ?? 0)
        }
        let input = source.input(lists)
        if let spool = journal.spool {
            session.logger?.info("standard input kept", metadata: ["file": "\(spool)"])
        }
        return try await session.run(
            batch,
            input,
            journal: try journal.open(for: input, results: results, output: folder),
            skipping: try journal.earlier(),
            journalInterval: .milliseconds(journal.journalInterval)
        )
    }
}
