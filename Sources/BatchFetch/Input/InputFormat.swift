/// The format of a list.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum InputFormat: Sendable, Hashable {
    /// Chosen by the file name: `.jsonl`, `.ndjson`, `.csv`, `.tsv`, `.tab`, otherwise ``lines``.
    ///
    /// A final `.gz` is ignored.
    case automatic
    /// One URL per line. Skips blank lines and lines that begin with `#`.
    case lines
    /// One JSON object per line.
    ///
    /// `url` is required, or `urls` with a URL and its mirrors (``BatchRequest/mirrors``); then
    /// `share_credentials` may be true. Optional are `method`, `headers` (an object, with an array
    /// for several values), one of `body`, `body_base64` and `body_file`, `timeout` (seconds), `out`
    /// (the file name), `sha256`, `sha1` and `md5` (hexadecimal), `tag` and `priority`. A line with
    /// any other key, or with a key twice, fails. `body_file` is the path of a file below
    /// ``BatchInput/Options/bodyFolder``.
    case jsonLines
    /// Comma-separated values (RFC 4180).
    case csv
    /// Tab-separated values, otherwise as ``csv``.
    case tsv
    /// An input file of aria2 (`aria2c --input-file`).
    ///
    /// A line has one URL, or several of the same body separated by tabs: the others become
    /// ``BatchRequest/mirrors``. Indented lines below it are options: `out`, `dir` (a folder below
    /// the output folder), `header`, `referer`, `user-agent` and `checksum`. Other options are
    /// ignored with a warning, and so are URLs of other schemes than `http` and `https` besides such
    /// ones. An entry is complete when the next one begins.
    case aria2

    /// Returns the format of a file with this name.
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

    /// The maximum length of a line or row in bytes. It is 16 KiB for ``lines``, and otherwise 1
    /// MiB.
    var maximumLength: Int {
        self == .lines ? 16 * 1024 : 1024 * 1024
    }
}
