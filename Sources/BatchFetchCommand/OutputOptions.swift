import ArgumentParser
import BatchFetch

/// What becomes of the bodies.
struct OutputOptions: ParsableArguments {
    /// What is done with files that exist, by the names that it has here.
    enum Existing: String, ExpressibleByArgument, CaseIterable {
        case skip, overwrite, number, error

        var value: FileNaming.Existing {
            switch self {
            case .skip: .skip
            case .overwrite: .overwrite
            case .number: .number
            case .error: .error
            }
        }
    }

    /// Bodies in results may have so many bytes.
    private static let memory = 64 * 1024 * 1024

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Folder for the bodies, made if need be; - for one body to the standard output.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var output: String?

    @Flag(help: "Receive the bodies, but keep none. The default without --output.")
    var discard = false

    @Option(
        help: ArgumentHelp(
            """
            Names below DIR, such as {host}/{path} or {sha256[0:2]}/{ordinal:8}.{ext}: of scheme, \
            host, port, path, file, stem, ext, ordinal, line, tag and sha256 (of the URL). Names \
            are made safe.
            """,
            valueName: "template"
        )
    )
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Levels of folders above the names, 256 folders each: 0 to 4.",
            valueName: "n"
        )
    )
    var fanout = 0

    @Option(
        help: ArgumentHelp(
            "What to do where a file has the name: overwrite, skip (and don't fetch), number, error.",
            valueName: "policy"
        )
    )
    var existing = Existing.overwrite

    @Flag(
        help: """
            Begin each body anew: keep no parts of those of 1 MiB and more that break off, in .parts \
            below DIR, and go on with none.
            """
    )
    var noContinue = false

    @Option(
        help: ArgumentHelp(
            """
            Fetch bodies of 32 MiB and more in so many pieces at once, of servers that can \
            (Accept-Ranges, a strong ETag): 1 to 64. The limits of the host hold for all of them.
            """,
            valueName: "n"
        )
    )
    var segments = 1

    @Option(
        help: ArgumentHelp(
            """
            Tar files of so many bytes (1G) or bodies (10000) in DIR, for WebDataset. After a kill \
            they go on in a new file, and may have a body twice: the results tell which counts.
            """,
            valueName: "limit"
        )
    )
    var tar: String?

    @Flag(
        help: """
            WARC 1.1 files in DIR, with requests and responses of all statuses. After a kill as with \
            --tar.
            """
    )
    var warc = false

    @Option(help: ArgumentHelp("Bytes (1G) or bodies of a WARC file.", valueName: "limit"))
    var warcLimit = "1G"

    @Flag(help: "Results to the standard output, with bodies (up to 64 MiB each) in base 64.")
    var stdoutJsonl = false

    @Flag(help: "Tell the SHA-256 of each body in the results.")
    var sha256 = false

    @Flag(help: "Ask for heads only: HEAD in place of GET.")
    var head = false

    @Flag(
        help: """
            Fetch nothing, and write no file: show the URLs that are left, and the names that they \
            would have, tab-separated.
            """
    )
    var dryRun = false

    func validate() throws {
        guard output == nil || !discard else {
            throw ValidationError("--output and --discard exclude each other: use one of them.")
        }
        guard output != "" else {
            throw ValidationError("--output is empty: name a folder.")
        }
        guard (0...4).contains(fanout) else {
            throw ValidationError("--fanout is \(fanout): use 0 to 4.")
        }
        guard (1...64).contains(segments) else {
            throw ValidationError("--segments is \(segments): use 1 to 64.")
        }
        guard segments == 1 || !noContinue else {
            throw ValidationError(
                "--segments needs the parts that --no-continue forbids: leave one out."
            )
        }
        let kinds = [tar != nil, warc, stdoutJsonl, output == "-"].count { $0 }
        guard kinds <= 1 else {
            throw ValidationError(
                "--tar, --warc, --stdout-jsonl and --output - exclude each other: use one of them."
            )
        }
        if tar != nil || warc, output == nil || output == "-" {
            throw ValidationError("--tar and --warc need a folder: name it with --output.")
        }
        if stdoutJsonl, output != nil || discard {
            throw ValidationError("--stdout-jsonl takes the bodies: leave out --output, --discard.")
        }
        let isFolder = output != nil && kinds == 0
        if !isFolder, out != nil || fanout > 0 || existing != .overwrite {
            throw ValidationError(
                "--out, --fanout and --existing are about files in a folder: name it with --output."
            )
        }
        for (name, limit) in [("--tar", tar), ("--warc-limit", warcLimit)] {
            guard let limit, ArchiveLimit(limit) == nil else { continue }
            throw ValidationError("\(name) is \(limit): use bytes, as 500M or 1G, or a number.")
        }
        if let out { _ = try NameTemplate(out) }
    }

    /// Whether files are written, so that each body may take a descriptor.
    var writesFiles: Bool { output != nil }

    /// What makes the standard output the bodies', so that nothing else is to be written there.
    var printed: [String] {
        (output == "-" ? ["--output -"] : []) + (stdoutJsonl ? ["--stdout-jsonl"] : [])
    }

    /// Says the same to the library.
    func apply(to configuration: inout BatchConfiguration) throws {
        if sha256 { configuration.digests = [.sha256] }
        configuration.isHeadOnly = head
        configuration.keepsPartialFiles = !noContinue
        configuration.segments = segments
        configuration.output = try kind()
    }

    private func kind() throws -> BatchOutput {
        if stdoutJsonl { return .memory(limit: Self.memory) }
        guard let output else { return .discard }
        if output == "-" { return .standardOutput }
        if let limit = tar.flatMap({ ArchiveLimit($0) }) { return .tar(in: output, limit: limit) }
        if warc, let limit = ArchiveLimit(warcLimit) { return .warc(in: output, limit: limit) }
        let naming = FileNaming(
            template: try out.map { try NameTemplate($0) },
            fanout: fanout,
            existing: existing.value
        )
        return .directory(output, naming: naming)
    }
}
