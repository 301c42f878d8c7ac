import BatchFetch
import BatchReport

/// The lines that show the progress of a run on a terminal.
///
///     ━━━━━━━━━━━━━━━━━╸────────────────────────  41 % of 29,400   ETA 14 s
///     12,345 done   3 failed   256 in flight   9,876 waiting   12 retries
///     1,234/s   45.6 MB/s   10 s
///     in flight  1.20 GB of 3.40 GB   35 %   ETA 50 s
///     slowest  api.example.org 2.31 s · img.example.net 1.10 s
struct ProgressBlock: Sendable {
    private let hasColor: Bool
    /// Whether the terminal shows more than ASCII.
    private let isUnicode: Bool
    private var rates = ProgressRates()

    init(hasColor: Bool, isUnicode: Bool) {
        self.hasColor = hasColor
        self.isUnicode = isUnicode
    }

    /// Formats the progress as lines of at most `columns` columns.
    mutating func lines(
        for progress: BatchProgress,
        slowest: [HostTable.Row],
        columns: Int
    ) -> [String] {
        rates.update(progress)
        var lines = [bar(progress, columns), counts(progress, columns), speed(progress, columns)]
        if let bytes = bytes(progress, columns) { lines.append(bytes) }
        if let pause = ProgressLine.pause(progress) {
            var line = line(columns)
            line.append(pause, .strong)
            lines.append(line.text)
        }
        if let hosts = hosts(slowest, columns) { lines.append(hosts) }
        return lines
    }

    /// The length of the bar, which leaves room for the figures after it.
    static func barLength(_ columns: Int) -> Int { min(44, max(8, columns - 36)) }

    private func line(_ columns: Int) -> TerminalLine {
        TerminalLine(columns: max(1, columns - 1), hasColor: hasColor)
    }

    /// The progress bar, or a text if the total is unknown.
    private func bar(_ progress: BatchProgress, _ columns: Int) -> String {
        var line = line(columns)
        guard let expected = progress.expected, expected > 0 else {
            line.append("fetching", .strong)
            line.append(", the list is still being read", .faint)
            return line.text
        }
        let share = progress.share(of: expected)
        line.appendBar(share, length: Self.barLength(columns), isUnicode: isUnicode)
        let percent = progress.done < expected ? min(99, Int(share * 100)) : 100
        line.append("  \(percent) %", .strong)
        let about = progress.isExpectedExact ? "" : "about "
        line.appendWhole(" of \(about)\(NumberFormat.grouped(expected))", .faint)
        if let remaining = rates.remaining, progress.done < expected {
            let sign = progress.isExpectedExact ? "" : "~"
            line.appendWhole("   ETA \(sign)\(ProgressRates.text(remaining: remaining))")
        }
        return line.text
    }

    private func counts(_ progress: BatchProgress, _ columns: Int) -> String {
        var line = line(columns)
        line.append(NumberFormat.grouped(progress.done), .good)
        line.append(" done")
        for (count, name, style) in [
            (progress.failed, "failed", progress.failed > 0 ? TerminalLine.Style.bad : .plain),
            (progress.inFlight, "in flight", .plain), (progress.waiting, "waiting", .plain),
            (progress.retries, "retries", .plain), (progress.unchanged, "unchanged", .plain),
        ] where count > 0 || name == "failed" || name == "in flight" {
            let number = NumberFormat.grouped(count)
            guard number.count + name.count + 4 <= line.free else { break }
            line.append("   ")
            line.append(number, style)
            line.append(" \(name)")
        }
        return line.text
    }

    private func speed(_ progress: BatchProgress, _ columns: Int) -> String {
        var line = line(columns)
        let rate = NumberFormat.decimal(rates.rate, digits: rates.rate < 10 ? 1 : 0)
        line.append("\(rate)/s", .strong)
        line.appendWhole("   \(NumberFormat.decimal(rates.bytes / 1e6, digits: 1)) MB/s", .strong)
        line.appendWhole("   \(NumberFormat.bytes(progress.bytes))")
        line.appendWhole("   \(Self.clock(progress.elapsed))", .faint)
        return line.text
    }

    /// The bytes of the files in flight; `nil` unless at least half of them are large.
    private func bytes(_ progress: BatchProgress, _ columns: Int) -> String? {
        guard progress.showsBytes else { return nil }
        let large = progress.large
        var line = line(columns)
        line.append("in flight", .faint)
        let total = NumberFormat.bytes(large.total)
        line.appendWhole("  \(NumberFormat.bytes(large.received)) of \(total)")
        line.appendWhole("   \(min(99, Int(large.share * 100))) %", .strong)
        if let remaining = rates.remainingInFlight {
            line.appendWhole("   ETA \(ProgressRates.text(remaining: remaining))")
        }
        return line.text
    }

    private func hosts(_ slowest: [HostTable.Row], _ columns: Int) -> String? {
        guard !slowest.isEmpty else { return nil }
        var line = line(columns)
        line.append("slowest", .faint)
        for (index, row) in slowest.enumerated() {
            let time = NumberFormat.duration(row.latency)
            let separator = index == 0 ? "  " : isUnicode ? " · " : ", "
            let room = line.free - separator.count - time.count - 1
            guard let host = shortened(row.host, to: room) else {
                // Without a host the word alone would say nothing.
                if index == 0 { return nil }
                break
            }
            line.append(separator, .faint)
            line.append(host)
            line.append(" \(time)", .accent)
        }
        return line.text
    }

    /// The host, shortened to `length`; `nil` if too little of it would be left.
    private func shortened(_ host: String, to length: Int) -> String? {
        guard host.count > length else { return host }
        let mark = isUnicode ? "…" : "..."
        return length < 16 ? nil : host.prefix(length - mark.count) + mark
    }

    /// Formats a duration as "1:02:03" or "2:03".
    private static func clock(_ duration: Duration) -> String {
        let seconds = Int(clamping: max(0, duration.components.seconds))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds / 60 % 60
        return seconds < 3600
            ? "\(minutes):\(two(seconds % 60))"
            : "\(seconds / 3600):\(two(minutes)):\(two(seconds % 60))"
    }
}
