internal import DequeModule

/// Log lines for a hook that is slower than its transfer.
///
/// Only the last lines are kept. The hook learns how many are missing.
struct LogQueue {
    /// The maximum number of queued lines, and of bytes of their text.
    static let maximumCount = 1024
    static let maximumBytes = 1 << 20

    private var lines = Deque<TransferLogLine>()
    private var bytes = 0
    private var dropped = 0

    /// Appends a line, and drops the oldest ones over the limits, but never the last.
    mutating func append(_ line: TransferLogLine) {
        lines.append(line)
        bytes += line.text.utf8.count
        while lines.count > 1, lines.count > Self.maximumCount || bytes > Self.maximumBytes {
            guard let oldest = lines.popFirst() else { return }
            bytes -= oldest.text.utf8.count
            dropped += 1
        }
    }

    /// Takes all lines, after a line with the number of dropped ones if there are any.
    mutating func takeAll() -> [TransferLogLine] {
        var taken: [TransferLogLine] = []
        if dropped > 0 {
            let plural = dropped == 1 ? "line was" : "lines were"
            taken.append(
                TransferLogLine(
                    kind: .dropped,
                    text:
                        "\(dropped) \(plural) dropped here: the log hook is slower than the transfer"
                )
            )
        }
        while let line = lines.popFirst() { taken.append(line) }
        (bytes, dropped) = (0, 0)
        return taken
    }
}
