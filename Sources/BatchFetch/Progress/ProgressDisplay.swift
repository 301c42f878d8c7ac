import Curl
import Synchronization

/// Shows how far a run is, from a thread of its own, until it is stopped: on a terminal as one line
/// that changes ten times a second, elsewhere as a line every ten seconds.
package final class ProgressDisplay: Sendable {
    private let run: BatchRun
    private let terminal: Terminal
    private let bell: Wakeup
    private let isEnding = Atomic(false)
    private let thread = Mutex<LoopThread?>(nil)

    /// Starts showing.
    package init(_ run: BatchRun, on terminal: Terminal) throws(BatchFailure) {
        self.run = run
        self.terminal = terminal
        do throws(SystemFailure) {
            bell = try Wakeup()
            try thread.withLock { thread throws(SystemFailure) in
                thread = try LoopThread(name: "batch-progress") { [self] in show() }
            }
        } catch {
            throw BatchFailure(.resources, "progress can't be shown: \(error)")
        }
    }

    /// Stops showing, and clears the line of a terminal.
    package func stop() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        bell.signal()
        thread.withLock { $0.take() }?.join()
    }

    private func show() {
        var line = ProgressLine()
        let isTerminal = terminal.isTerminal
        let interval = isTerminal ? Duration.milliseconds(100) : .seconds(10)
        // The rates have to begin somewhere.
        _ = line.text(for: run.progress)
        while true {
            bell.wait(until: MonotonicTime.now.advanced(by: interval))
            guard !isEnding.load(ordering: .sequentiallyConsistent) else { break }
            let text = line.text(for: run.progress)
            if isTerminal {
                // Back to the first column, and clear what was there.
                terminal.write("\r\u{1B}[K\(text.prefix(max(1, terminal.columns - 1)))")
            } else {
                terminal.write("\(text)\n")
            }
        }
        if isTerminal { terminal.write("\r\u{1B}[K") }
    }
}
