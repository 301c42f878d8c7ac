import ArgumentParser
import BatchFetch

/// The options for resuming a run.
struct JournalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Record completed URLs in this file: the same command resumes the run, also after a \
            kill. Needs --results with a file, or with - if FILE is just standard input: then the \
            latest 4 million answered requests are skipped when the same lines come again.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var journal: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Milliseconds between two updates of the journal (default: 500). Needs --journal.",
            valueName: "ms"
        )
    )
    var journalInterval: Int?

    @Option(
        help: ArgumentHelp(
            """
            Copy standard input to this file before anything is fetched, so that --journal can \
            number its lines. If the copy exists, it is used and standard input is not read.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var spool: String?

    @Option(
        help: ArgumentHelp(
            """
            Results of an earlier run: fetch only URLs that failed or weren't reached. May be \
            repeated for several runs, oldest first; the last line about a URL counts.
            """,
            valueName: "results"
        ),
        completion: .file()
    )
    var failedFrom: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Results of an earlier run: send conditional requests (ETag, Last-Modified) for URLs that \
            it fetched and whose files exist, and fetch only what has changed. A changed file is \
            replaced, regardless of --existing. No effect with --tar, --warc and --output -.
            """,
            valueName: "results"
        ),
        completion: .file()
    )
    var since: String?

    /// The results of `--since`; `nil` without that option.
    func earlierResponses() throws(BatchFailure) -> EarlierResponses? {
        guard let since else { return nil }
        return try EarlierResponses(path: since)
    }

    /// The results of `--failed-from`; `nil` without that option.
    func earlier() throws(BatchFailure) -> EarlierResults? {
        failedFrom.isEmpty ? nil : try EarlierResults(paths: failedFrom)
    }

    func check(files: [String], results: String?) throws {
        try OptionValue.check("--journal-interval", journalInterval, atLeast: 1)
        guard spool == nil || files.contains("-") else {
            throw ValidationError("--spool copies standard input: use - as FILE.")
        }
        guard journal != nil else {
            guard journalInterval == nil else {
                throw ValidationError(
                    "--journal-interval needs --journal FILE: add it, or remove --journal-interval."
                )
            }
            return
        }
        guard let results, results != "-" || isStream(files) else {
            throw ValidationError("--journal needs results in a file: add --results FILE.")
        }
        guard !files.contains("-") || spool != nil || isStream(files) else {
            throw ValidationError(
                "--journal needs a copy of standard input beside other lists: add --spool FILE."
            )
        }
    }

    /// Whether the journal is that of an endless list: standard input that isn't copied.
    func isStream(_ files: [String]) -> Bool { files == ["-"] && spool == nil }

    /// The files that these options read and write.
    var uses: [NamedFileArgument?] {
        failedFrom.map { .reading($0, for: "the input of --failed-from") } + [
            .reading(since, for: "the input of --since"),
            .writing(journal, for: "--journal"),
            .writing(journal.map(BatchJournal.claimsPath), for: "a part of --journal"),
            .writing(spool, for: "--spool"),
            .writing(spool.map(Spool.unfinishedPath), for: "a part of --spool"),
        ]
    }

    /// The lists to read, with a copy of the standard input.
    ///
    /// `nil` if a signal arrived while the standard input was being copied.
    func lists(_ files: [String], _ signalHandler: SignalHandler) throws(BatchFailure) -> [String]?
    {
        guard let path = spool else { return files }
        let spool = try Spool(path: path)
        signalHandler.onEnd { spool.end() }
        guard try spool.fill() else { return nil }
        return files.map { $0 == "-" ? path : $0 }
    }

    /// The lists for a dry run, which only uses an existing copy.
    func plannedLists(_ files: [String]) -> [String] {
        guard let spool, Spool.isFilled(spool) else { return files }
        return files.map { $0 == "-" ? spool : $0 }
    }

    /// Opens the journal; `nil` without `--journal`.
    func open(
        for input: BatchInput,
        results: String?,
        output: String?
    ) throws(BatchFailure) -> BatchJournal? {
        guard let journal, let results else { return nil }
        return try BatchJournal(
            path: journal,
            lists: input.listNames,
            options: input.options,
            results: results,
            output: output
        )
    }

    /// Reads the journal without changing it; `nil` without `--journal`.
    func snapshot(
        of input: BatchInput,
        results: String?,
        output: String?
    ) throws(BatchFailure) -> JournalSnapshot? {
        guard let journal, let results else { return nil }
        return try JournalSnapshot(
            path: journal,
            lists: input.listNames,
            options: input.options,
            results: results,
            output: output
        )
    }
}
