import BatchFetch

#if Fleet
    import BatchFleet

    /// The lines that show the status of a fleet's run.
    ///
    ///     may  open
    ///     ━━━━━━━━━━━━━━━━━╸────────────────────────  41 % of 29,400   ETA 14 s
    ///     12,345 done   3 failed   17,055 pending   24 of 500 hosts leased   3 waiting
    ///     1,234/s in the last minute
    ///     worker                    hosts      rate    results   last seen
    ///     queue-a 1                    12     617/s      6,172   2 s ago
    ///     slowest host            pending   failed   next request
    ///     api.example.org           9,876        3   in 40 s
    struct FleetBlock: Sendable {
        /// The longest name in a table.
        private static let longestName = 40

        let hasColor: Bool
        /// Whether the terminal shows more than ASCII.
        let isUnicode: Bool
        /// The greatest number of rows in each table.
        var rowLimit = 8

        /// Formats a status as lines of at most `columns` columns.
        ///
        /// - Parameter problem: Why the status is an old one; `nil` if it is current.
        func lines(
            for status: FleetStatus?,
            problem: String? = nil,
            columns: Int
        ) -> [String] {
            var lines: [String] = []
            if let status {
                lines += [title(status, columns), bar(status, columns), counts(status, columns)]
                lines.append(speed(status, columns))
                lines += tables(for: status, columns: columns)
            }
            if let problem {
                var line = line(columns)
                line.append(problem, .bad)
                lines.append(line.text)
            }
            return lines
        }

        /// The tables of workers and of slow hosts.
        func tables(for status: FleetStatus, columns: Int) -> [String] {
            let current = status.workers.filter { $0.hosts > 0 || $0.unseen < .seconds(60) }
            let workers = workers(current)
            let hosts = hosts(status)
            let longest = (workers + hosts).map(\.name.count).max() ?? 0
            let width = min(longest, Self.longestName, max(12, columns - 46))
            var lines = workers.map { text(of: $0, nameWidth: width, columns) }
            if current.count > rowLimit {
                var line = line(columns)
                line.append("and \(NumberFormat.grouped(current.count - rowLimit)) more", .faint)
                lines.append(line.text)
            }
            if current.isEmpty, !status.isDone {
                var line = line(columns)
                line.append("no worker", .bad)
                lines.append(line.text)
            }
            return lines + hosts.map { text(of: $0, nameWidth: width, columns) }
        }

        private func line(_ columns: Int) -> TerminalLine {
            TerminalLine(columns: max(1, columns - 1), hasColor: hasColor)
        }

        private func title(_ status: FleetStatus, _ columns: Int) -> String {
            var line = line(columns)
            line.append(status.run, .strong)
            line.append("  \(status.state.rawValue)", status.state == .open ? .plain : .bad)
            return line.text
        }

        private func bar(_ status: FleetStatus, _ columns: Int) -> String {
            var line = line(columns)
            guard status.total > 0 else {
                line.append("no URLs", .strong)
                return line.text
            }
            let share = Double(status.done) / Double(status.total)
            line.appendBar(
                share,
                length: ProgressBlock.barLength(columns),
                isUnicode: isUnicode
            )
            let percent = status.isDone ? 100 : min(99, Int(share * 100))
            line.append("  \(percent) %", .strong)
            line.appendWhole(" of \(NumberFormat.grouped(status.total))", .faint)
            if let remaining = FleetText.remaining(status) {
                line.appendWhole("   ETA \(remaining)")
            }
            return line.text
        }

        private func counts(_ status: FleetStatus, _ columns: Int) -> String {
            var line = line(columns)
            let counts = status.counts
            line.append(NumberFormat.grouped(status.done), .good)
            line.append(" done")
            for (number, name, style) in [
                (
                    NumberFormat.grouped(counts.failed), "failed",
                    counts.failed > 0 ? TerminalLine.Style.bad : .plain
                ), (NumberFormat.grouped(counts.pending), "pending", .plain),
                (
                    NumberFormat.grouped(counts.leasedHosts),
                    "of \(NumberFormat.counted(counts.hosts, "host", "hosts")) leased", .plain
                ), (NumberFormat.grouped(status.waitingHosts), "waiting", .plain),
            ] {
                guard number.count + name.count + 4 <= line.free else { break }
                line.append("   ")
                line.append(number, style)
                line.append(" \(name)")
            }
            return line.text
        }

        private func speed(_ status: FleetStatus, _ columns: Int) -> String {
            var line = line(columns)
            line.append(FleetText.rate(status.rate), .strong)
            line.append(" in the last minute")
            return line.text
        }

        // MARK: Tables

        /// A line of a table: a name, numbers, and a text.
        private struct Row {
            let name: String
            let numbers: [String]
            let end: String
            var style = TerminalLine.Style.plain
            var isHeading = false
        }

        private func workers(_ workers: [FleetStatus.Worker]) -> [Row] {
            guard !workers.isEmpty else { return [] }
            let heading = Row(
                name: "worker",
                numbers: ["hosts", "rate", "results"],
                end: "last seen",
                isHeading: true
            )
            return [heading]
                + workers.prefix(rowLimit).map { worker in
                    Row(
                        name: "\(worker.name) \(worker.id)",
                        numbers: [
                            NumberFormat.grouped(worker.hosts), FleetText.rate(worker.rate),
                            NumberFormat.grouped(worker.accepted),
                        ],
                        end: "\(ProgressRates.text(remaining: worker.unseen / .seconds(1))) ago",
                        // It has missed two renewals of its leases.
                        style: worker.unseen > .seconds(25) ? .bad : .plain
                    )
                }
        }

        private func hosts(_ status: FleetStatus) -> [Row] {
            guard !status.slowHosts.isEmpty else { return [] }
            let heading = Row(
                name: "slowest host",
                numbers: ["pending", "failed"],
                end: "next request",
                isHeading: true
            )
            return [heading]
                + status.slowHosts.prefix(rowLimit).map { host in
                    Row(
                        name: host.name,
                        numbers: [
                            NumberFormat.grouped(host.pending), NumberFormat.grouped(host.failed),
                        ],
                        end: Self.next(host),
                        style: host.wait >= .seconds(1) ? .accent : .plain
                    )
                }
        }

        /// When a host gets its next request.
        private static func next(_ host: FleetStatus.Host) -> String {
            let breaker = host.isBroken ? ", breaker open" : ""
            if host.wait >= .seconds(1) {
                return "in \(ProgressRates.text(remaining: host.wait / .seconds(1)))" + breaker
            }
            return host.owner.map { "now, worker \($0)" } ?? "when leased" + breaker
        }

        private func text(of row: Row, nameWidth: Int, _ columns: Int) -> String {
            var line = line(columns)
            let style = row.isHeading ? TerminalLine.Style.faint : .plain
            line.append(padded(shortened(row.name, to: nameWidth), to: nameWidth), style)
            // A part of a number would be another number.
            for number in row.numbers {
                let space = String(repeating: " ", count: max(0, 9 - number.count))
                guard line.appendWhole("  \(space)\(number)", style) else { return line.text }
            }
            guard row.end.count + 3 <= line.free else { return line.text }
            line.append("   ")
            line.append(row.end, row.isHeading ? .faint : row.style)
            return line.text
        }

        private func padded(_ text: String, to width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }

        private func shortened(_ text: String, to width: Int) -> String {
            guard text.count > width else { return text }
            let mark = isUnicode ? "…" : "..."
            return text.prefix(max(0, width - mark.count)) + mark
        }
    }

    /// Formats the status of a fleet's run in one line.
    enum FleetText {
        /// The counts of a run, as `12 fetched, 1 failed, 3 pending; 1 of 2 hosts leased`.
        static func counts(_ counts: FleetCounts) -> String {
            "\(counts.fetched) fetched, \(counts.failed) failed, \(counts.pending) pending; "
                + "\(counts.leasedHosts) of \(counts.hosts) hosts leased"
        }

        /// The state, the counts, the rate and the estimated end.
        static func line(_ status: FleetStatus) -> String {
            var text = "\(status.run) (\(status.state.rawValue)): \(counts(status.counts))"
            if !status.isDone { text += "; \(rate(status.rate))" }
            if let remaining = remaining(status) { text += ", ETA \(remaining)" }
            return text
        }

        /// A rate, as `1,234/s`.
        static func rate(_ rate: Double) -> String {
            "\(NumberFormat.decimal(rate, digits: rate < 10 ? 1 : 0))/s"
        }

        /// The estimated time until the end; `nil` if the run is done, paused or makes no progress.
        static func remaining(_ status: FleetStatus) -> String? {
            guard status.state == .open, let remaining = status.remaining else { return nil }
            return ProgressRates.text(remaining: remaining / .seconds(1))
        }
    }
#endif
