import ArgumentParser
import BatchFetch

/// Going on after an end in the middle.
struct JournalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File that remembers what is done: the same command goes on after any end. Needs \
            --results with a file.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var journal: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Milliseconds between two times that the journal is brought up to date.",
            valueName: "ms"
        )
    )
    var journalInterval = 500

    @Option(
        help: ArgumentHelp(
            """
            File that keeps a copy of standard input, which a journal needs. The copy is made \
            before anything is fetched; one that is there is used, and standard input is not read.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var spool: String?

    @Option(
        help: ArgumentHelp(
            """
            Results of an earlier run: only what failed then, or wasn't reached, is fetched. May be \
            given for each of several runs, in their order: the last line about a URL counts.
            """,
            valueName: "results"
        ),
        completion: .file()
    )
    var failedFrom: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Results of an earlier run: URLs that it fetched, and whose bodies are still in the \
            output folder, are fetched only if the server says that they have changed (ETag, \
            Last-Modified). A changed file is replaced, whatever --existing says. Not for tar, \
            WARC and --output -, which fetch all.
            """,
            valueName: "results"
        ),
        completion: .file()
    )
    var since: String?

    /// What an earlier run got, if servers are to be asked whether that has changed.
    func earlierResponses() throws(BatchFailure) -> EarlierResponses? {
        guard let since else { return nil }
        return try EarlierResponses(path: since)
    }

    /// What was fetched before, if that is to be skipped.
    func earlier() throws(BatchFailure) -> EarlierResults? {
        failedFrom.isEmpty ? nil : try EarlierResults(paths: failedFrom)
    }

    func check(files: [String], results: String?) throws {
        try FetchCommand.check("--journal-interval", journalInterval, atLeast: 1)
        guard spool == nil || files.contains("-") else {
            throw ValidationError("--spool is for standard input: write - for FILE.")
        }
        guard journal != nil else { return }
        guard let results, results != "-" else {
            throw ValidationError("--journal needs --results with a file.")
        }
        guard !files.contains("-") || spool != nil else {
            throw ValidationError("--journal with standard input needs --spool.")
        }
    }

    /// The files that are read and written.
    var uses: [FileUse?] {
        failedFrom.map { .reading($0, for: "what --failed-from reads") } + [
            .reading(since, for: "what --since reads"),
            .writing(journal, for: "--journal"),
            .writing(journal.map(BatchJournal.claimsPath), for: "a part of --journal"),
            .writing(spool, for: "--spool"),
            .writing(spool.map(Spool.unfinishedPath), for: "a part of --spool"),
        ]
    }

    /// Where the lists are read from in the end; `nil` if a signal came while the standard input was being
    /// copied.
    func lists(_ files: [String], _ stopper: Stopper) throws(BatchFailure) -> [String]? {
        guard let path = spool else { return files }
        let spool = try Spool(path: path)
        stopper.onEnd { spool.end() }
        guard try spool.fill() else { return nil }
        return files.map { $0 == "-" ? path : $0 }
    }

    /// The same for a plan, which makes no copy: one that an earlier run made is read.
    func plannedLists(_ files: [String]) -> [String] {
        guard let spool, Spool.isFilled(spool) else { return files }
        return files.map { $0 == "-" ? spool : $0 }
    }

    /// Opens the journal, if one is asked for.
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

    /// Reads the journal, if one is asked for, and changes nothing.
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
