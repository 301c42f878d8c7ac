import ArgumentParser
import BatchFetch

/// The options for the input.
struct InputOptions: ParsableArguments {
    /// The input formats by their option values.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case auto, lines, jsonl, csv, tsv, aria2

        var value: InputFormat {
            switch self {
            case .auto: .automatic
            case .lines: .lines
            case .jsonl: .jsonLines
            case .csv: .csv
            case .tsv: .tsv
            case .aria2: .aria2
            }
        }
    }

    /// The deduplication modes by their option values.
    enum Dedupe: String, ExpressibleByArgument, CaseIterable {
        case off, exact, normalised

        var value: Deduplication {
            switch self {
            case .off: .off
            case .exact: .exact
            case .normalised: .normalised
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            """
            Format of FILE; auto uses its extension (.jsonl, .csv, .tsv; others are lines). aria2 is \
            an input file of aria2.
            """,
            valueName: "format"
        )
    )
    var format = Format.auto

    @Option(
        help: ArgumentHelp(
            "Column of the URLs in CSV and TSV: its name, or its number if there is no header row.",
            valueName: "column"
        )
    )
    var urlCol = "url"

    @Option(help: ArgumentHelp("Column of the tag, for {tag} and results.", valueName: "column"))
    var tagCol: String?

    @Option(help: ArgumentHelp("Column of the file names.", valueName: "column"))
    var outCol: String?

    @Option(help: ArgumentHelp("Column of SHA-256 checksums to verify.", valueName: "column"))
    var sha256Col: String?

    @Option(
        help: ArgumentHelp(
            "Resolve relative URLs against this URL.",
            valueName: "url"
        )
    )
    var base: String?

    @Flag(
        help: """
            Expand {1..1000}, {a,b} and [001-100] in URLs, while they are needed.
            """
    )
    var glob = false

    @Flag(help: "Stop at the first malformed line. By default, only that line fails.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "Fetch a repeated URL once: off, exact, normalised (RFC 3986).",
            valueName: "how"
        )
    )
    var dedupe = Dedupe.off

    @Flag(
        help: """
            Write a result for each URL that --dedupe leaves out, with duplicate_of: the ordinal of \
            the first, whose outcome applies; its own ok is null. Takes about 40 bytes per URL instead \
            of 11.
            """
    )
    var reportDuplicates = false

    @Option(
        help: ArgumentHelp(
            "Folder of the files that JSONL lists may name as body_file; without it, none.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var bodyFolder: String?

    @Option(
        help: ArgumentHelp(
            """
            Fetch one part of the list, 0/8 … 7/8. All URLs of a host are in the same part, so that \
            parallel runs obey the limits per host.
            """,
            valueName: "i/n"
        )
    )
    var shard: String?

    @Argument(
        help: ArgumentHelp(
            """
            Lists of URLs, or URLs; - for standard input. Lists may be compressed by gzip.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var files: [String]

    func validate() throws {
        if let shard, InputShard(shard) == nil {
            throw ValidationError(
                "--shard is \(shard): use i/n with i from 0 to n - 1, such as 0/4 … 3/4."
            )
        }
        guard bodyFolder != "" else {
            throw ValidationError("--body-folder is empty: name a folder.")
        }
        guard !reportDuplicates || dedupe != .off else {
            throw ValidationError(
                "--report-duplicates needs --dedupe: add --dedupe exact or --dedupe normalised."
            )
        }
        guard !files.contains("") else {
            throw ValidationError("FILE is empty: name a list of URLs, or - for standard input.")
        }
    }

    /// The title of the lists for people.
    var title: String {
        let names = files.map { file in
            switch InputList(file) {
            case .standardInput: "standard input"
            case .url(let url): URLText.forReport(url)
            case .file: file.split(separator: "/").last.map(String.init) ?? file
            }
        }
        return names.count == 1 ? names[0] : "\(names[0]) and \(names.count - 1) more"
    }

    /// The options as the library's input for these lists.
    func input(_ lists: [String]) -> BatchInput {
        var input = BatchInput.lists(lists)
        input.options.format = format.value
        input.options.columns = InputColumns(
            url: urlCol,
            tag: tagCol,
            name: outCol,
            sha256: sha256Col
        )
        input.options.base = base
        input.options.expandsPatterns = glob
        input.options.isStrict = strict
        input.options.deduplication = dedupe.value
        input.options.bodyFolder = bodyFolder
        input.options.reportsDuplicates = reportDuplicates
        input.options.shard = shard.flatMap { InputShard($0) }
        return input
    }
}
