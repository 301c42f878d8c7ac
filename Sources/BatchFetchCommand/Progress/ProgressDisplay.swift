import BatchFetch
import BatchReport
import Posix
import Synchronization

/// Shows the progress of a run, from a dedicated thread.
///
/// On a terminal it redraws a few lines ten times a second; elsewhere it prints a line every ten
/// seconds.
final class ProgressDisplay: Sendable {
    private let run: BatchRun
    private let terminal: Terminal
    private let hasColor: Bool
    private let worker: Worker
    /// The figures of the hosts so far; used on a terminal only.
    private let hosts = Mutex(HostTable(capacity: 512))
    private let isBlock: Bool

    /// Starts the thread.
    ///
    /// - Parameter hasColor: Whether to use colours on a terminal.
    /// - Throws: ``BatchFailure/Code/resources`` if the thread can't be started.
    init(
        _ run: BatchRun,
        on terminal: Terminal,
        hasColor: Bool = true
    ) throws(BatchFailure) {
        self.run = run
        self.terminal = terminal
        self.hasColor = hasColor
        isBlock = terminal.isInteractive
        do throws(SystemFailure) {
            worker = try Worker(name: "batch-progress")
            try worker.start { [self] in show() }
        } catch {
            throw BatchFailure(.resources, "can't show progress: \(error)")
        }
    }

    /// Adds a result to the figures of its host.
    func add(_ result: BatchResult) {
        guard isBlock, !result.isExisting, result.duplicateOf == nil else { return }
        let sample = ReportSample(result)
        hosts.withLock { $0.add(sample) }
    }

    /// Stops the thread and clears the lines on a terminal.
    func stop() {
        worker.end()
    }

    private func show() {
        if isBlock { showBlock() } else { showLines() }
    }

    /// Waits for `interval`; returns `false` once the display is stopped.
    private func wait(_ interval: Duration) -> Bool {
        worker.wait(until: MonotonicTime.now.advanced(by: interval))
    }

    private func showLines() {
        var line = ProgressLine()
        // The first update sets the starting point of the rates.
        _ = line.text(for: run.progress)
        while wait(.seconds(10)) { terminal.write("\(line.text(for: run.progress))\n") }
    }

    private func showBlock() {
        var block = ProgressBlock(hasColor: hasColor, isUnicode: Terminal.isUnicode)
        var slowest: [HostTable.Row] = []
        var frame = 0
        _ = block.lines(for: run.progress, slowest: [], columns: 80)
        while wait(.milliseconds(100)) {
            // Sorting once a second is enough for a reader.
            if frame % 10 == 0 { slowest = hosts.withLock { $0.slowest(3) } }
            frame += 1
            let columns = terminal.columns
            terminal.show(block.lines(for: run.progress, slowest: slowest, columns: columns))
        }
        terminal.show([])
    }
}
