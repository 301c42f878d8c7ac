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
            batchfetch fleet create|add|work|status … RUN --queue postgresql://…
            batchfetch demo [--objects N] [--concurrency N]
            batchfetch man
            """,
        discussion: """
            URLs are read from FILE, or from standard input for -, one per line, while earlier ones \
            are fetched. Blank lines and lines that begin with # are skipped. A line of JSONL is an \
            object with url (or urls: mirrors that are tried in order), and optionally method, \
            headers, body (or body_base64, body_file), timeout, out, sha256, sha1, md5, tag, \
            priority, share_credentials (mirrors get all headers); body_file needs --body-folder. \
            With --format aria2, FILE is an input file of aria2: URLs of one body are separated by \
            tabs, and indented lines are options (out, dir, header, referer, user-agent, checksum; \
            others are ignored). Requests are spread over hosts, even if the list is sorted by host: \
            when a few slow hosts fill the queue, it spills to an anonymous file in TMPDIR (or /tmp), \
            with some 25 bytes per URL besides the URL itself. \
            Temporary failures (a lost connection, 429, 503 …) are retried; Retry-After applies to \
            the whole host. Up to 20 redirects are followed, within the limits of the target's host. \
            Another origin gets only fields that are known to be harmless: Accept, Accept-Language, \
            User-Agent, Range, If-… and a few others.

            EXAMPLES
              Save the pages of a list, and a line of JSON for each:
                batchfetch --output pages --results results.jsonl urls.txt

              Check links from another program, 1,000 at a time:
                find-links | batchfetch --discard -c 1000 --results - - > results.jsonl

              Pack pictures into tar files, 10,000 in each, and verify their checksums:
                batchfetch --output shards --tar 10000 --sha256-col sha256 pictures.csv.gz

              Expand a pattern into a thousand URLs:
                batchfetch --output pages --glob 'https://example.org/{001..999}.jpg'

              One request at a time per host, five retries, two minutes per attempt:
                batchfetch --output pages --per-host 1 --retries 5 --timeout 120 urls.txt

              Try it without a network:
                batchfetch demo

            FILES
              Files in DIR are named host/path, or host/path~hash if the URL has a query
              or its path isn't a safe file name, or by --out. Existing files are
              overwritten; --existing changes that.

            VALUES
              A time is 500ms, 2s, 5m or 1h, and a rate 5/s, 30/m or 100/h. Without a unit, a
              time is in seconds and a rate per second.

            SETTINGS
              Settings can be in a file (--config batchfetch.toml), by the long names of
              options (concurrency = 512), or in the environment
              (BATCHFETCH_CONCURRENCY=512). The command line takes precedence over the
              environment, and the environment over the file.

            EXIT STATUS
              0    all URLs were fetched, or enough for --fail-on
              1    some URLs failed
              2    wrong usage
              3    FILE can't be read completely
              4    bodies, results or the journal can't be written, the journal is in use, or the \
            system lacks resources, or standard output and error are both closed pipes
              124  ended by --max-time; the results list what was completed, --journal resumes
              130  ended by SIGINT; the results list what was completed, --journal resumes
              143  ended by SIGTERM; the same holds (a signal before the start ends the process itself)

            SIGNALS
              SIGINT, SIGTERM  start no more URLs, cancel those in flight after --grace; a second \
            signal cancels at once, a third ends without results and summary; the same signal \
            twice within half a second counts once
              SIGHUP           reopen the file of results (not with --journal)
              SIGUSR1          print the progress
              SIGQUIT          end at once; what isn't written yet is lost
              A signal that is ignored at the start, as SIGHUP by nohup, stays ignored.
            """,
        version: version
    )

    static let version = "0.1.0"

    // Unconditional: a negative number is parsed as a value, which gives a better error message.
    @Option(
        name: [.short, .long],
        parsing: .unconditional,
        help: ArgumentHelp("URLs in flight at once (default: 256).", valueName: "n")
    )
    var concurrency: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("URLs in flight at once per host.", valueName: "n")
    )
    var perHost = 6

    @Flag(
        inversion: .prefixedNo,
        help: """
            Use HTTP/2 with https servers that support it, and share connections. Default: on with \
            libcurl 8.3 or newer (older versions may take a partial body without a length for a \
            complete one).
            """
    )
    var http2: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Connect to all addresses. --no-private refuses loopback, link-local, private, reserved \
            and cloud metadata addresses, also of names and redirects. It excludes --unix-socket and \
            proxies, also those of the environment (--proxy '' turns them off).
            """
    )
    var `private` = true

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            """
            Write one line of JSON per URL to this file; - for standard output. The url is as the \
            list has it, user name and password included.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var results: String?

    @Flag(
        help: """
            Replace the results of an earlier run. Without it, --results with a file that isn't \
            empty is an error, except with --journal.
            """
    )
    var overwriteResults = false

    @OptionGroup(title: "Input")
    var source: InputOptions

    @OptionGroup(title: "Output")
    var target: OutputOptions

    @OptionGroup(title: "Connections")
    var connections: ConnectionOptions

    @OptionGroup(title: "TLS")
    var security: TLSOptions

    @OptionGroup(title: "Header fields and credentials")
    var credentials: CredentialOptions

    @OptionGroup(title: "Politeness")
    var politeness: PolitenessOptions

    @OptionGroup(title: "Retries and timeouts")
    var attempts: RetryOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Resuming")
    var journal: JournalOptions

    @OptionGroup(title: "Progress, signals, settings")
    var watching: RunOptions

    @Flag(
        name: [.short, .long],
        help: """
            Print only errors: no progress, no summary. If URLs failed, one line says how many, and \
            the most frequent reason.
            """
    )
    var quiet = false

    func validate() throws {
        try OptionValue.check("--concurrency", concurrency, atLeast: 1)
        try OptionValue.check("--per-host", perHost, atLeast: 1)
        try journal.check(files: source.files, results: results)
        if let clash = NamedFileArgument.clash(of: uses) { throw ValidationError("\(clash).") }
        guard !overwriteResults || (results != nil && results != "-") else {
            throw ValidationError("--overwrite-results needs --results FILE: add it.")
        }
        guard !overwriteResults || journal.journal == nil else {
            throw ValidationError(
                "--overwrite-results and --journal, which continues results, exclude each other: "
                    + "remove one."
            )
        }
        guard journal.journal == nil || target.output != "-" else {
            throw ValidationError(
                "--journal can't resume a body on standard output (--output -): name a folder."
            )
        }
        let isStream = journal.journal != nil && journal.isStream(source.files)
        guard !isStream || target.existing == .overwrite else {
            throw ValidationError(
                "--journal of standard input can't keep existing files (--existing "
                    + "\(target.existing)): copy standard input with --spool FILE."
            )
        }
        guard results == nil || !target.stdoutJsonl else {
            throw ValidationError("--stdout-jsonl already prints the results: remove --results.")
        }
        let printed =
            target.printed + (results == "-" ? ["--results -"] : []) + watching.printed
        guard printed.count <= 1 else {
            throw ValidationError(
                "\(printed.joined(separator: " and ")) write to standard output, which takes one: "
                    + "name a file."
            )
        }
    }

    /// The files that the command reads and writes.
    private var uses: [NamedFileArgument?] {
        source.files.map { NamedFileArgument.reading(list: $0) } + [
            .writing(results, for: "--results")
        ]
            + security.uses + credentials.uses + journal.uses + watching.uses
    }

    func execute(_ signalHandler: SignalHandler) async throws -> ExitStatus {
        var run = ConsoleRun(
            isQuiet: quiet,
            resultsPath: target.stdoutJsonl ? "-" : results,
            signalHandler: signalHandler,
            options: watching.options
        )
        run.isOutputTaken = !(target.printed + watching.printed).isEmpty
        run.isBodyPrinted = target.output == "-"
        run.replacesResults = overwriteResults
        run.isDryRun = target.dryRun
        run.obeysRobots = politeness.politeness.obeysRobots
        run.title = source.title
        run.mayIgnoreOptions = source.format == .aria2
        run.hasEarlierResults = !journal.failedFrom.isEmpty
        run.isInsecure = security.insecure
        run.logger = watching.logLevel?.logger
        let batch = Batch(try configuration(of: run))
        let folder = target.writesFiles ? target.output : nil
        guard !target.dryRun else {
            let input = source.input(journal.plannedLists(source.files))
            return try await run.plan(
                batch,
                input,
                journal: try journal.snapshot(of: input, results: results, output: folder),
                skipping: try journal.earlier()
            )
        }
        guard let lists = try journal.lists(source.files, signalHandler) else {
            run.printCopyEnded()
            return .interrupted(signal: signalHandler.signal ?? 0)
        }
        let input = source.input(lists)
        if let spool = journal.spool {
            run.logger?.info("standard input copied", metadata: ["file": "\(spool)"])
        }
        return try await run.run(
            batch,
            input,
            journal: try journal.open(for: input, results: results, output: folder),
            skipping: try journal.earlier(),
            journalInterval: .milliseconds(journal.journalInterval ?? 500)
        )
    }
}

extension FetchCommand {
    /// The library's configuration for a run of the command. Reads files that options name.
    func configuration(of run: ConsoleRun) throws -> BatchConfiguration {
        var configuration = BatchConfiguration(
            concurrencyPerHost: perHost,
            timeout: attempts.timeout.map { .seconds($0) },
            retry: attempts.policy
        )
        try target.apply(to: &configuration)
        configuration.connection = connections.connection
        configuration.connection.tls = try security.tls()
        configuration.requests = try credentials.requests()
        configuration.politeness = politeness.politeness
        // The user agent whose rules of robots.txt apply is the one that servers see.
        let agent = configuration.requests.userAgent ?? configuration.politeness.userAgent
        configuration.politeness.userAgent = agent ?? "batchfetch/\(Self.version)"
        configuration.timeouts = attempts.timeouts
        configuration.limits = limits.limits
        configuration.limits.grace = watching.grace
        configuration.concurrency = run.concurrency(
            requested: concurrency,
            writesFiles: target.writesFiles
        )
        run.warn(ofConnections: min(configuration.concurrency, perHost))
        run.warnIfInsecure()
        configuration.lookAhead = max(configuration.lookAhead, 4 * configuration.concurrency)
        configuration.logger = run.logger
        configuration.onWarning = run.onWarning
        configuration.protectedFiles = NamedFileArgument.paths(of: uses)
        configuration.offersHTTP2 = http2
        configuration.refusesPrivateAddresses = !`private`
        configuration.since = try journal.earlierResponses()
        return configuration
    }
}
