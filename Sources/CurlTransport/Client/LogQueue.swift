/// Log lines that wait for a hook which is slower than the transfer that they are about.
///
/// Only the last ones are kept, within bounds: whoever is so late is told how many are missing.
struct LogQueue {
    /// As many lines wait at most, and as many bytes of text.
    static let maximumCount = 1024
    static let maximumBytes = 1 << 20

    private var lines = FIFO<TransferLogLine>()
    private var bytes = 0
    private var dropped = 0

    /// Appends a line, and drops the oldest where there are too many; never the last.
    mutating func append(_ line: TransferLogLine) {
        lines.append(line)
        bytes += line.text.utf8.count
        while lines.count > 1, lines.count > Self.maximumCount || bytes > Self.maximumBytes {
            guard let oldest = lines.popFirst() else { return }
            bytes -= oldest.text.utf8.count
            dropped += 1
        }
    }

    /// Takes all lines out, behind a line that says how many are missing before them.
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
