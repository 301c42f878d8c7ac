import BatchFetch

/// One run as the command shows it: results, progress, summary, exit status.
struct Session {
    let isQuiet: Bool
    let resultsPath: String?
    let stopper: Stopper
    /// Whether the standard output is the bodies'.
    var isOutputTaken = false
    /// Whether nothing is fetched.
    var isDryRun = false

    private let terminal = Terminal()

    init(isQuiet: Bool, resultsPath: String?, stopper: Stopper) {
        self.isQuiet = isQuiet
        self.resultsPath = resultsPath
        self.stopper = stopper
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
    func run(_ batch: Batch, _ input: BatchInput) async throws(BatchFailure) -> ExitStatus {
        let log = try resultsPath.map { path throws(BatchFailure) in try ResultLog(path: path) }
        let run: BatchRun
        do throws(BatchFailure) {
            run = isDryRun ? try batch.plan(input) : try batch.start(input)
        } catch {
            try? log?.close()
            throw error
        }
        stopper.watch(run)
        let display = isQuiet || isDryRun ? nil : try ProgressDisplay(run, on: terminal)
        for await result in run {
            if isDryRun, !isQuiet, resultsPath != "-", result.isFetched {
                print("\(result.url)\t\(result.path ?? "")")
            }
            guard let log else { continue }
            log.append(result)
            if log.failure != nil { run.cancel() }
        }
        stopper.unwatch()
        display?.stop()
        let isLogComplete = close(log)
        return finish(run, isLogComplete: isLogComplete)
    }

    private func close(_ log: ResultLog?) -> Bool {
        do throws(BatchFailure) {
            try log?.close()
            return true
        } catch {
            terminal.write("batchfetch: \(error)\n")
            return false
        }
    }

    private func finish(_ run: BatchRun, isLogComplete: Bool) -> ExitStatus {
        let summary = run.summary
        if let failure = run.inputFailure { terminal.write("batchfetch: \(failure)\n") }
        if let failure = run.outputFailure { terminal.write("batchfetch: \(failure)\n") }
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
        if let signal = stopper.signal { return .interrupted(signal: signal) }
        let isComplete =
            summary.progress.failed == 0 && run.inputFailure == nil
            && run.outputFailure == nil && isLogComplete
        return isComplete ? .success : .someFailed
    }
}
