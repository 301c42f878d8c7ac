/// How a list is written.
public enum InputFormat: Sendable, Hashable {
    /// By the file's name (`.jsonl`, `.ndjson`, `.csv`, `.tsv`, with or without `.gz`); ``lines`` for
    /// any other.
    case automatic
    /// A URL a line. Blank lines and those that begin with `#` are skipped.
    case lines
    /// A JSON object a line. `url` must be there; there may be `method`, `headers` (an object,
    /// with an array for several values), one of `body`, `body_base64` and `body_file`,
    /// `timeout` (seconds), `out` (the file's name), `sha256`, `sha1` and `md5` (hexadecimal),
    /// `tag` and `priority`. Any other key is a mistake, which fails the line.
    case jsonLines
    /// Comma-separated values (RFC 4180).
    case csv
    /// The same with tabs.
    case tsv

    /// What a file of that name holds.
    func resolved(forFile name: String) -> InputFormat {
        guard self == .automatic else { return self }
        var name = name.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        for (ending, format) in Self.endings where name.hasSuffix(ending) { return format }
        return .lines
    }

    private static let endings: [(String, InputFormat)] = [
        (".jsonl", .jsonLines), (".ndjson", .jsonLines), (".csv", .csv), (".tsv", .tsv),
        (".tab", .tsv),
    ]

    /// The most bytes that a line, or a row, may have: a URL needs less than what goes with it.
    var maximumLength: Int {
        self == .lines ? 16 * 1024 : 1024 * 1024
    }
}
