import BatchFetch
import BatchReport
import Logging

/// Runs a batch for the command: results, progress, summary, exit status.
struct ConsoleRun {
    /// Further options of a run.
    struct Options {
        var failOn = FailurePolicy.any
        var grace = Duration.seconds(10)
        var summaryPath: String?
        var reportPath: String?
        var metricsPort: UInt16?
        var hasColor = true
    }

    let isQuiet: Bool
    let resultsPath: String?
    let signalHandler: SignalHandler
    let options: Options
    /// Whether the standard output carries bodies, a report or a JSON summary.
    var isOutputTaken = false
    /// Whether the standard output carries one URL's body.
    ///
    /// Failures are then printed even with `--quiet`.
    var isBodyPrinted = false
    /// Whether this is a dry run.
    var isDryRun = false
    /// Whether `robots.txt` is obeyed; `nil` if the summary doesn't mention it.
    var obeysRobots: Bool?
    /// Whether the list may have options that aren't used.
    var mayIgnoreOptions = false
    /// Whether URLs that earlier runs have fetched are skipped.
    var hasEarlierResults = false
    /// Whether existing results are replaced. Without a journal only.
    var replacesResults = true
    /// Whether certificates of servers aren't verified.
    var isInsecure = false
    /// The log for the command's own events; `nil` for none.
    var logger: Logger?
    /// The title of the report.
    var title = "batchfetch"

    private let terminal = Terminal()

    init(
        isQuiet: Bool,
        resultsPath: String?,
        signalHandler: SignalHandler,
        options: Options = Options()
    ) {
        self.isQuiet = isQuiet
        self.resultsPath = resultsPath
        self.signalHandler = signalHandler
        self.options = options
    }

    /// The possible number of URLs in flight.
    ///
    /// Raises the limit of open files to the system's maximum, and prints a warning if that is too
    /// low for `requested`. Without `requested` at most 256.
    func concurrency(requested: Int?, writesFiles: Bool) -> Int {
        let limit = OpenFiles.raiseLimit()
        let possible = OpenFiles.maximumConcurrency(limit: limit, writesFiles: writesFiles)
        logger?.info("limit of open files raised", metadata: ["files": "\(limit)"])
        if let requested, requested > possible {
            terminal.write(
                """
                batchfetch: only \(possible) in flight instead of \(requested), because the process \
                may open \(limit) files: raise the hard limit (ulimit -Hn) for more.

                """
            )
        }
        return min(requested ?? 256, possible)
    }

    /// Prints a warning of the run.
    var onWarning: @Sendable (String) -> Void {
        { [isQuiet, terminal] text in
            if !isQuiet { terminal.write("batchfetch: \(text)\n") }
        }
    }

    /// Prints a warning if one host can't have this many connections.
    func warn(ofConnections count: Int) {
        if let warning = LocalPorts.warning(connections: count) { printMessage(warning) }
    }

    /// Prints a warning if certificates of servers aren't verified.
    func warnIfInsecure() {
        guard isInsecure, !isDryRun else { return }
        printMessage(
            "warning: --insecure accepts any certificate: others on the network can read and change "
                + "what is fetched"
        )
    }

    /// Runs the batch to its end.
    ///
    /// Everything that can fail is prepared before the results file is truncated, and fetching
    /// starts after that.
    func run(
        _ batch: Batch,
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil,
        journalInterval: Duration = .milliseconds(500)
    ) async throws(BatchFailure) -> ExitStatus {
        printMessage(damage: journal?.damage)
        if let journal {
            logger?.info(
                "journal opened",
                metadata: [
                    "done": "\(journal.doneCount)", "failed": "\(journal.failedCount)",
                    "results": "\(resultsPath ?? "")",
                ]
            )
        }
        let metrics = RunMetrics()
        let metricsServer = try serve(metrics)
        let prepared = try batch.prepare(input, journal: journal, skipping: earlier)
        // These files may be in the output folder, which exists now.
        if let path = options.reportPath { try RunReport.check(path) }
        if let path = options.summaryPath { try SummaryJSON.check(path) }
        let log = try openLog(journal, interval: journalInterval)
        let run: BatchRun
        do throws(BatchFailure) {
            run = try prepared.start()
        } catch {
            try? log?.close()
            throw error
        }
        metrics.attach(run)
        let status = await follow(run, log, failedBefore: journal?.failedCount)
        withExtendedLifetime(metricsServer) {}
        return status
    }

    /// Prints what would be fetched, and writes no files.
    func plan(
        _ batch: Batch,
        _ input: BatchInput,
        journal: JournalSnapshot? = nil,
        skipping earlier: EarlierResults? = nil
    ) async throws(BatchFailure) -> ExitStatus {
        printMessage(damage: journal?.damage)
        let prepared = try batch.preparePlan(input, journal: journal, skipping: earlier)
        let log = resultsPath == "-" ? try ResultLog(path: "-") : nil
        let run: BatchRun
        do throws(BatchFailure) {
            run = try prepared.start()
        } catch {
            try? log?.close()
            throw error
        }
        return await follow(run, log, failedBefore: journal?.failedCount)
    }

    /// Handles the results of a run until it ends.
    ///
    /// - Parameter failedBefore: The number of failed URLs in the journal; `nil` without one.
    private func follow(
        _ run: BatchRun,
        _ log: ResultLog?,
        failedBefore: Int?
    ) async -> ExitStatus {
        let hasJournal = failedBefore != nil
        let readsResults = hasJournal && resultsPath != "-"
        signalHandler.watch(
            SignalHandler.Watched(run: run, log: log, grace: options.grace, isQuiet: isQuiet)
        )
        // If the progress can't be shown, the run continues without it.
        let display =
            isQuiet || isDryRun
            ? nil
            : try? ProgressDisplay(
                run,
                on: terminal,
                hasColor: options.hasColor && !Terminal.isColorUnwanted
            )
        var isOutputLost = false
        // With a journal the report covers the whole results file, including earlier runs.
        var report = options.reportPath == nil || isDryRun ? nil : RunReport()
        for await result in run {
            if mayIgnoreOptions { printInputWarnings(of: run) }
            if !readsResults { report?.add(result) }
            display?.add(result)
            if isQuiet, isBodyPrinted, let failure = result.failure {
                printMessage(failure, of: result)
            }
            if result.failure?.code == .output { isOutputLost = true }
            let isPlanned = result.isFetched && !result.isExisting && result.duplicateOf == nil
            if isDryRun, resultsPath != "-", isPlanned {
                print("\(result.url)\t\(result.path ?? "")")
            }
            guard let log else { continue }
            log.append(result)
            if log.failure != nil { run.cancel() }
        }
        signalHandler.unwatch()
        display?.stop()
        if mayIgnoreOptions { printInputWarnings(of: run) }
        if !close(log) || run.outputFailure != nil { isOutputLost = true }
        let status = status(of: run, failedBefore: failedBefore ?? 0, isOutputLost: isOutputLost)
        return write(
            report,
            readsResults: readsResults,
            finish(run, status, hasJournal: hasJournal)
        )
    }

    private func openLog(
        _ journal: BatchJournal?,
        interval: Duration
    ) throws(BatchFailure) -> ResultLog? {
        if let journal { return try ResultLog(journal: journal, interval: interval) }
        return try resultsPath.map { path throws(BatchFailure) in
            try ResultLog(path: path, replacing: replacesResults)
        }
    }

    private func serve(_ metrics: RunMetrics) throws(BatchFailure) -> MetricsServer? {
        guard let port = options.metricsPort else { return nil }
        let server = try MetricsServer(port: port) { metrics.page }
        if !isQuiet { printMessage("metrics are on http://\(server.address)/metrics") }
        return server
    }

    private func close(_ log: ResultLog?) -> Bool {
        do throws(BatchFailure) {
            try log?.close()
            return true
        } catch {
            printMessage("\(error)")
            return false
        }
    }

    private func status(
        of run: BatchRun,
        failedBefore: Int,
        isOutputLost: Bool
    ) -> ExitStatus {
        if let signal = signalHandler.signal { return .interrupted(signal: signal) }
        if isOutputLost { return .output }
        if let failure = run.inputFailure { return failure.code == .output ? .output : .input }
        if let failure = run.stopFailure {
            return failure.code == .timeReached ? .timeLimit : .someFailed
        }
        let progress = run.progress
        let isFailure = options.failOn.isFailure(
            failed: progress.failed + failedBefore,
            of: progress.done + progress.skipped
        )
        return isFailure ? .someFailed : .success
    }

    private func finish(
        _ run: BatchRun,
        _ status: ExitStatus,
        hasJournal: Bool
    ) -> ExitStatus {
        let summary = run.summary
        var context = SummaryContext()
        context.results = resultsPath
        context.hasJournal = hasJournal
        context.hasEarlierResults = hasEarlierResults
        context.signal = signalHandler.signal
        context.isTimeOver = run.stopFailure?.code == .timeReached
        context.obeysRobots = obeysRobots
        context.isInsecure = isInsecure
        for failure in [run.inputFailure, run.outputFailure, run.stopFailure].compactMap({ $0 }) {
            printMessage("\(failure)")
        }
        // With a log or a body, each failure has been printed.
        if isQuiet, status == .someFailed, logger == nil, !isBodyPrinted,
            let line = SummaryText.failureLine(for: summary)
        {
            printMessage(line)
        }
        var isLost = isDryRun && !flush()
        if !isQuiet {
            let lines =
                isDryRun
                ? SummaryText.plan(for: summary, caseCollisions: run.caseCollisions)
                : SummaryText.lines(for: summary, context)
            let text = lines.joined(separator: "\n")
            // The summary must not be mixed with other data on the standard output.
            if resultsPath == "-" || isOutputTaken || isDryRun {
                // Both outputs may go to the same file or terminal.
                isLost = !flush() || isLost
                terminal.write("\(text)\n")
            } else {
                print(text)
                isLost = !flush() || isLost
            }
        }
        let status = isLost && status == .success ? .output : status
        guard let path = options.summaryPath, !isDryRun else { return status }
        let json = SummaryJSON.text(
            for: summary,
            context,
            exitStatus: status.code
        )
        do throws(BatchFailure) {
            try SummaryJSON.write(json, to: path)
            return status
        } catch {
            printMessage("\(error)")
            return status == .success ? .output : status
        }
    }

    /// Flushes printed text; returns whether that succeeded.
    ///
    /// A closed standard output counts as success, except in a dry run. If the standard error is
    /// a closed pipe, too, all messages are lost.
    private func flush() -> Bool {
        do throws(BatchFailure) {
            return try StandardFiles.flush()
        } catch {
            if error.systemErrno == StandardFiles.isClosed, !isDryRun { return true }
            printMessage("\(error)")
            return false
        }
    }

    private func printMessage(damage: String?) {
        if let damage { printMessage("\(damage); continuing") }
    }

    private func write(
        _ report: RunReport?,
        readsResults: Bool,
        _ status: ExitStatus
    ) -> ExitStatus {
        guard var report, let path = options.reportPath else { return status }
        do throws(BatchFailure) {
            if readsResults, let resultsPath { try report.read(resultsOf: resultsPath) }
            try report.write(to: path, title: title)
            return status
        } catch {
            printMessage("\(error)")
            return status == .success ? .output : status
        }
    }

    private func printInputWarnings(of run: BatchRun) {
        for warning in run.takeInputWarnings() where !isQuiet {
            printMessage("warning: \(TerminalEscaping.text(warning))")
        }
    }

    private func printMessage(_ failure: BatchFailure, of result: BatchResult) {
        printMessage("line \(result.line): \(TerminalEscaping.text(failure.message))")
    }

    /// Prints that a signal arrived before the list was copied.
    func printCopyEnded() {
        if !isQuiet { printMessage("ended while copying standard input: nothing was fetched") }
    }

    private func printMessage(_ text: String) { terminal.write("batchfetch: \(text)\n") }
}
