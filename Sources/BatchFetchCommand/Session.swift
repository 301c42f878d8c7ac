import BatchFetch

/// One run as the command shows it: results, progress, summary, exit status.
struct Session {
    /// What else the arguments say about that.
    struct Options {
        var failOn = FailurePolicy.any
        var grace = Duration.seconds(10)
        var summaryPath: String?
        var metricsPort: UInt16?
    }

    let isQuiet: Bool
    let resultsPath: String?
    let stopper: Stopper
    let options: Options
    /// Whether the standard output is the bodies'.
    var isOutputTaken = false
    /// Whether nothing is fetched.
    var isDryRun = false

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

    /// Runs to the end.
    func run(
        _ batch: Batch,
        _ input: BatchInput,
        journal: BatchJournal? = nil,
        skipping earlier: EarlierResults? = nil,
        journalInterval: Duration = .milliseconds(500)
    ) async throws(BatchFailure) -> ExitStatus {
        if let damage = journal?.damage { tell("\(damage); going on") }
        let log = try openLog(journal, interval: journalInterval)
        let run: BatchRun
        do throws(BatchFailure) {
            run =
                isDryRun
                ? try batch.plan(input)
                : try batch.start(input, journal: journal, skipping: earlier)
        } catch {
            try? log?.close()
            throw error
        }
        let metrics = try showMetrics(of: run)
        stopper.watch(Stopper.Watched(run: run, log: log, grace: options.grace, isQuiet: isQuiet))
        let display = isQuiet || isDryRun ? nil : try ProgressDisplay(run, on: terminal)
        var isOutputLost = false
        for await result in run {
            if result.failure?.code == .output { isOutputLost = true }
            if isDryRun, !isQuiet, resultsPath != "-", result.isFetched {
                print("\(result.url)\t\(result.path ?? "")")
            }
            guard let log else { continue }
            log.append(result)
            if log.failure != nil { run.cancel() }
        }
        stopper.unwatch()
        display?.stop()
        withExtendedLifetime(metrics) {}
        if !close(log) || run.outputFailure != nil { isOutputLost = true }
        let status = status(of: run, journal, isOutputLost: isOutputLost)
        return finish(run, status)
    }

    private func openLog(
        _ journal: BatchJournal?,
        interval: Duration
    ) throws(BatchFailure) -> ResultLog? {
        if let journal { return try ResultLog(journal: journal, interval: interval) }
        return try resultsPath.map { path throws(BatchFailure) in try ResultLog(path: path) }
    }

    private func showMetrics(of run: BatchRun) throws(BatchFailure) -> MetricsServer? {
        guard let port = options.metricsPort else { return nil }
        let server = try MetricsServer(port: port) { PrometheusText.page(for: run.summary) }
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
        _ journal: BatchJournal?,
        isOutputLost: Bool
    ) -> ExitStatus {
        if let signal = stopper.signal { return .interrupted(signal: signal) }
        if isOutputLost { return .output }
        if run.inputFailure != nil { return .input }
        if run.stopFailure != nil { return .someFailed }
        let progress = run.progress
        let isFailure = options.failOn.isFailure(
            failed: progress.failed + (journal?.failedCount ?? 0),
            of: progress.done + progress.skipped
        )
        return isFailure ? .someFailed : .success
    }

    private func finish(_ run: BatchRun, _ status: ExitStatus) -> ExitStatus {
        let summary = run.summary
        for failure in [run.inputFailure, run.outputFailure, run.stopFailure].compactMap({ $0 }) {
            tell("\(failure)")
        }
        if !isQuiet {
            let lines =
                isDryRun
                ? SummaryText.plan(for: summary, caseCollisions: run.caseCollisions)
                : SummaryText.lines(for: summary)
            let text = lines.joined(separator: "\n")
            // The standard output is the results' where they were sent there.
            if resultsPath == "-" || isOutputTaken || isDryRun {
                terminal.write("\(text)\n")
            } else {
                print(text)
            }
        }
        guard let path = options.summaryPath else { return status }
        let json = SummaryJSON.text(
            for: summary,
            results: resultsPath,
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

    private func tell(_ text: String) { terminal.write("batchfetch: \(text)\n") }
}
