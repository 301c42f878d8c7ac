import Curl
import Synchronization

/// Shows how far a run is, from a thread of its own, until it is stopped: on a terminal as a few lines
/// that change ten times a second, elsewhere as a line every ten seconds.
package final class ProgressDisplay: Sendable {
    private let run: BatchRun
    private let terminal: Terminal
    private let hasColor: Bool
    private let bell: Wakeup
    private let isEnding = Atomic(false)
    private let thread = Mutex<LoopThread?>(nil)
    /// Of what was done so far; nobody looks at it but on a terminal.
    private let hosts = Mutex(HostTable(capacity: 512))
    private let isBlock: Bool

    /// Starts showing.
    ///
    /// - Parameter hasColor: Whether colours are welcome, where there is a terminal.
    package init(
        _ run: BatchRun,
        on terminal: Terminal,
        hasColor: Bool = true
    ) throws(BatchFailure) {
        self.run = run
        self.terminal = terminal
        self.hasColor = hasColor
        isBlock = terminal.isInteractive
        do throws(SystemFailure) {
            bell = try Wakeup()
            try thread.withLock { thread throws(SystemFailure) in
                thread = try LoopThread(name: "batch-progress") { [self] in show() }
            }
        } catch {
            throw BatchFailure(.resources, "progress can't be shown: \(error)")
        }
    }

    /// Takes a result, for what is shown of the hosts.
    package func add(_ result: BatchResult) {
        guard isBlock, !result.isExisting else { return }
        let sample = ReportSample(result)
        hosts.withLock { $0.add(sample) }
    }

    /// Stops showing, and clears the lines of a terminal.
    package func stop() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        bell.signal()
        thread.withLock { $0.take() }?.join()
    }

    private func show() {
        if isBlock { showBlock() } else { showLines() }
    }

    /// Waits for the next moment; false at the end.
    private func wait(_ interval: Duration) -> Bool {
        bell.wait(until: MonotonicTime.now.advanced(by: interval))
        return !isEnding.load(ordering: .sequentiallyConsistent)
    }

    private func showLines() {
        var line = ProgressLine()
        // The rates have to begin somewhere.
        _ = line.text(for: run.progress)
        while wait(.seconds(10)) { terminal.write("\(line.text(for: run.progress))\n") }
    }

    private func showBlock() {
        var block = ProgressBlock(hasColor: hasColor, isUnicode: Terminal.isUnicode)
        var slowest: [HostTable.Row] = []
        var frame = 0
        _ = block.lines(for: run.progress, slowest: [], columns: 80)
        while wait(.milliseconds(100)) {
            // Sorting them ten times a second would tell nobody more.
            if frame % 10 == 0 { slowest = hosts.withLock { $0.slowest(3) } }
            frame += 1
            let columns = terminal.columns
            terminal.show(block.lines(for: run.progress, slowest: slowest, columns: columns))
        }
        terminal.show([])
    }
}
