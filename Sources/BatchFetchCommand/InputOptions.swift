import ArgumentParser
import BatchFetch

/// What is read, and how.
struct InputOptions: ParsableArguments {
    /// The formats by the names that they have here.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case auto, lines, jsonl, csv, tsv

        var value: InputFormat {
            switch self {
            case .auto: .automatic
            case .lines: .lines
            case .jsonl: .jsonLines
            case .csv: .csv
            case .tsv: .tsv
            }
        }
    }

    /// What counts as one, by the names that it has here.
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
            "How FILE is written; auto goes by its name (.jsonl, .csv, .tsv; lines for others).",
            valueName: "format"
        )
    )
    var format = Format.auto

    @Option(
        help: ArgumentHelp(
            "Column of the URLs in CSV and TSV: its name, or its number without a row of names.",
            valueName: "column"
        )
    )
    var urlCol = "url"

    @Option(help: ArgumentHelp("Column of a text for {tag} and results.", valueName: "column"))
    var tagCol: String?

    @Option(help: ArgumentHelp("Column of the names of the files.", valueName: "column"))
    var outCol: String?

    @Option(help: ArgumentHelp("Column of SHA-256 checksums to verify.", valueName: "column"))
    var sha256Col: String?

    @Option(
        help: ArgumentHelp(
            "What lines that are no absolute URLs are relative to.",
            valueName: "url"
        )
    )
    var base: String?

    @Flag(
        help: """
            Take {1..1000}, {a,b} and [001-100] in URLs as many URLs, made as they are needed.
            """
    )
    var glob = false

    @Flag(help: "Stop at the first malformed line. Otherwise it fails, and the others go on.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "Fetch what comes twice once: off, exact, normalised (RFC 3986).",
            valueName: "how"
        )
    )
    var dedupe = Dedupe.off

    @Option(
        help: ArgumentHelp(
            """
            The part of the list to take, 0/8 … 7/8: a host is in one part only, so that as many \
            runs keep the limits per host together.
            """,
            valueName: "i/n"
        )
    )
    var shard: String?

    @Argument(
        help: ArgumentHelp(
            """
            Lists of URLs, or URLs; - for the standard input. Lists may be compressed by gzip.
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
        guard !files.contains("") else {
            throw ValidationError("FILE is empty: name a list of URLs, or - for standard input.")
        }
    }

    /// What the lists are called, for people.
    var title: String {
        let names = files.map { file in
            file == "-"
                ? "standard input" : file.split(separator: "/").last.map(String.init) ?? file
        }
        return names.count == 1 ? names[0] : "\(names[0]) and \(names.count - 1) more"
    }

    /// The same for the library, of these lists.
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
        input.options.shard = shard.flatMap { InputShard($0) }
        return input
    }
}
