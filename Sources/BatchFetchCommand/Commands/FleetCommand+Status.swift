import BatchFetch
import Posix

#if Fleet
    import BatchFleet

    /// `batchfetch fleet status`.
    extension FleetCommand {
        /// The time between two lines, if the status isn't redrawn on a terminal.
        private static let lineInterval = Duration.seconds(10)

        /// Prints the status once, or with `--watch` until the run is done.
        func showStatus(of run: FleetRun, _ store: FleetStore) async throws {
            guard watch else { return try show(try await store.status(of: run)) }
            let terminal = Terminal()
            let isBlock = terminal.isInteractive && !json
            let block = FleetBlock(
                hasColor: !Terminal.isColorUnwanted,
                isUnicode: Terminal.isUnicode,
                rowLimit: 6
            )
            var last: FleetStatus?
            var printAt = MonotonicTime.now
            var wasAway = false
            while true {
                let start = MonotonicTime.now
                var problem: String?
                do throws(FleetError) {
                    last = try await store.status(of: run)
                } catch {
                    guard error.isTemporary else {
                        terminal.show([])
                        throw error
                    }
                    problem = "\(error); trying again"
                }
                if problem == nil, let last, last.isDone {
                    terminal.show([])
                    return try show(last)
                }
                if isBlock {
                    let columns = terminal.columns
                    terminal.show(block.lines(for: last, problem: problem, columns: columns))
                } else if start >= printAt || wasAway != (problem != nil) {
                    printAt = start.advanced(by: Self.lineInterval)
                    if let problem {
                        terminal.write("batchfetch: \(problem)\n")
                    } else if let last {
                        print(try json ? FleetJSON.text(for: last) : FleetText.line(last))
                        _ = try StandardFiles.flush()
                    }
                }
                wasAway = problem != nil
                // A status of many hosts takes long: the database has other work, too.
                let duration = Duration.nanoseconds(MonotonicTime.now.nanoseconds(since: start))
                let pause = problem == nil ? min(duration * 9, .seconds(30)) : .zero
                try await Task.sleep(for: max(.seconds(1), pause))
            }
        }

        /// Prints a status to the standard output.
        private func show(_ status: FleetStatus) throws {
            guard !json else { return print(try FleetJSON.text(for: status)) }
            print(FleetText.line(status))
            guard !status.isDone else { return }
            let block = FleetBlock(hasColor: false, isUnicode: false, rowLimit: 20)
            for line in block.tables(for: status, columns: 120) { print(line) }
        }
    }
#endif
