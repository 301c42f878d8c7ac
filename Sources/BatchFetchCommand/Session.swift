import BatchFetch
import Logging

/// One run as the command shows it: results, progress, summary, exit status.
struct Session {
    /// What else the arguments say about that.
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
    let stopper: Stopper
    let options: Options
    /// Whether the standard output is the bodies', or a page's.
    var isOutputTaken = false
    /// Whether the standard output is one URL's body, so that whoever sees none wants to know why.
    var isBodyPrinted = false
    /// Whether nothing is fetched.
    var isDryRun = false
    /// Whether hosts' `robots.txt` are obeyed; nil where that is no question.
    var obeysRobots: Bool?
    /// Whether URLs that earlier runs have fetched are left out.
    var hasEarlierResults = false
    /// Is told what the command does beside fetching.
    var logger: Logger?
    /// What a page about it is called.
    var title = "batchfetch"

    private let terminal = Terminal()

    init(isQuiet: Bool, resultsPath: String?, stopper: Stopper, options: Options = Options()) {
        self.isQuiet = isQuiet
        self.resultsPath = resultsPath
        self.stopper = stopper
        self.options = options
    }

    /// What can be in flight under the system's limit of open files, which is raised as far as it
    /// goes; says so if less was asked for than can be had.
    func concurrency(asked: Int?, writesFiles: Bool) -> Int {
        let limit = OpenFiles.raiseLimit()
        let possible = OpenFiles.maximumConcurrency(limit: limit, writesFiles: writesFiles)
        logger?.info("limit of open files raised", metadata: ["files": "\(limit)"])
        if let asked, asked > possible {
            terminal.write(
                """
                batchfetch: only \(possible) in flight instead of \(asked), because the process \
                may open \(limit) files: raise the hard limit (ulimit -Hn) for more.

                """
            )
        }
        return min(asked ?? 256, possible)
    }

    /// Says so if one host can't be connected to as often.
    func warn(ofConnections count: Int) {
        if let warning = LocalPorts.warning(connections: count) { tell(warning) }
    }

    /// Runs to the end. What can fail is made ready before the results are emptied, and nothing is
    /// fetched before they are.
    func run(
        _ batch: Batch,
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil,
        journalInterval: Duration = .milliseconds(500)
    ) async throws(BatchFailure) -> ExitStatus {
        tell(damage: journal?.damage)
        if let journal {
            logger?.info(
                "journal opened",
                metadata: [
                    "done": "\(journal.doneCount)", "failed": "\(journal.failedCount)",
                    "results": "\(resultsPath ?? "")",
                ]
            )
        }
        let figures = RunFigures()
        let metrics = try showMetrics(figures)
        let prepared = try batch.prepare(input, journal: journal, skipping: earlier)
        // They may be in the output folder, which is there now.
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
        figures.show(run)
        let status = await follow(run, log, failedBefore: journal?.failedCount)
        withExtendedLifetime(metrics) {}
        return status
    }

    /// Shows what would be fetched. Nothing is written but to the standard outputs.
    func plan(
        _ batch: Batch,
        _ input: BatchInput,
        journal: JournalSnapshot? = nil,
        skipping earlier: EarlierResults? = nil
    ) async throws(BatchFailure) -> ExitStatus {
        tell(damage: journal?.damage)
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

    /// Takes a run's results until it ends.
    ///
    /// - Parameter failedBefore: What a journal knows of; nil without one.
    private func follow(
        _ run: BatchRun,
        _ log: ResultLog?,
        failedBefore: Int?
    ) async -> ExitStatus {
        let hasJournal = failedBefore != nil
        stopper.watch(Stopper.Watched(run: run, log: log, grace: options.grace, isQuiet: isQuiet))
        // A run that nobody sees is better than none.
        let display =
            isQuiet || isDryRun
            ? nil
            : try? ProgressDisplay(
                run,
                on: terminal,
                hasColor: options.hasColor && !Terminal.isColorUnwanted
            )
        var isOutputLost = false
        // Of a journal all results are told, those of earlier runs too.
        var report = options.reportPath == nil || isDryRun ? nil : RunReport()
        for await result in run {
            if !hasJournal { report?.add(result) }
            display?.add(result)
            if isQuiet, isBodyPrinted, let failure = result.failure { tell(failure, of: result) }
            if result.failure?.code == .output { isOutputLost = true }
            if isDryRun, resultsPath != "-", result.isFetched, !result.isExisting {
                print("\(result.url)\t\(result.path ?? "")")
            }
            guard let log else { continue }
            log.append(result)
            if log.failure != nil { run.cancel() }
        }
        stopper.unwatch()
        display?.stop()
        if !close(log) || run.outputFailure != nil { isOutputLost = true }
        let status = status(of: run, failedBefore: failedBefore ?? 0, isOutputLost: isOutputLost)
        return write(report, hasJournal: hasJournal, finish(run, status, hasJournal: hasJournal))
    }

    private func openLog(
        _ journal: BatchJournal?,
        interval: Duration
    ) throws(BatchFailure) -> ResultLog? {
        if let journal { return try ResultLog(journal: journal, interval: interval) }
        return try resultsPath.map { path throws(BatchFailure) in try ResultLog(path: path) }
    }

    private func showMetrics(_ figures: RunFigures) throws(BatchFailure) -> MetricsServer? {
        guard let port = options.metricsPort else { return nil }
        let server = try MetricsServer(port: port) { figures.page }
        if !isQuiet { tell("figures are on http://\(server.address)/metrics") }
        return server
    }

    private func close(_ log: ResultLog?) -> Bool {
        do throws(BatchFailure) {
            try log?.close()
            return true
        } catch {
            tell("\(error)")
            return false
        }
    }

    private func status(
        of run: BatchRun,
        failedBefore: Int,
        isOutputLost: Bool
    ) -> ExitStatus {
        if let signal = stopper.signal { return .interrupted(signal: signal) }
        if isOutputLost { return .output }
        if let failure = run.inputFailure { return failure.code == .output ? .output : .input }
        if run.stopFailure != nil { return .someFailed }
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
        context.signal = stopper.signal
        context.obeysRobots = obeysRobots
        for failure in [run.inputFailure, run.outputFailure, run.stopFailure].compactMap({ $0 }) {
            tell("\(failure)")
        }
        var isLost = isDryRun && !flush()
        if !isQuiet {
            let lines =
                isDryRun
                ? SummaryText.plan(for: summary, caseCollisions: run.caseCollisions)
                : SummaryText.lines(for: summary, context)
            let text = lines.joined(separator: "\n")
            // The standard output is the results' where they were sent there.
            if resultsPath == "-" || isOutputTaken || isDryRun {
                // Both may lead to the same place.
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
            tell("\(error)")
            return status == .success ? .output : status
        }
    }

    /// Whether what was printed could be written. Who has no standard output wants no summary.
    private func flush() -> Bool {
        do throws(BatchFailure) {
            try StandardFiles.flush()
            return true
        } catch {
            if error.systemErrno == StandardFiles.isClosed, !isDryRun { return true }
            tell("\(error)")
            return false
        }
    }

    private func tell(damage: String?) {
        if let damage { tell("\(damage); going on") }
    }

    private func write(
        _ report: RunReport?,
        hasJournal: Bool,
        _ status: ExitStatus
    ) -> ExitStatus {
        guard var report, let path = options.reportPath else { return status }
        do throws(BatchFailure) {
            if hasJournal, let resultsPath { try report.read(resultsOf: resultsPath) }
            try report.write(to: path, title: title)
            return status
        } catch {
            tell("\(error)")
            return status == .success ? .output : status
        }
    }

    private func tell(_ failure: BatchFailure, of result: BatchResult) {
        tell("line \(result.line): \(Printable.text(failure.message))")
    }

    /// Says that a signal came before the list was there.
    func tellCopyEnded() {
        if !isQuiet { tell("ended while the standard input was being copied: nothing was fetched") }
    }

    private func tell(_ text: String) { terminal.write("batchfetch: \(text)\n") }
}
