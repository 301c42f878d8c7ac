import ArgumentParser
import BatchFetch

/// The options for the output of bodies.
struct OutputOptions: ParsableArguments {
    /// The policies for existing files by their option values.
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

    /// The maximum size of a body in results: 64 MiB.
    private static let largest = 64 * 1024 * 1024

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            """
            Folder for the bodies, created if missing; - writes one body to standard output. \
            s3://BUCKET/PREFIX stores them in S3, or in the server of AWS_ENDPOINT_URL, with the keys \
            of the AWS command line.
            """,
            valueName: "dir"
        ),
        completion: .directory
    )
    var output: String?

    @Flag(help: "Receive the bodies, but save none. Default without --output.")
    var discard = false

    @Option(
        help: ArgumentHelp(
            """
            Template of the file names in DIR, such as {host}/{path} or \
            {sha256[0:2]}/{ordinal:8}.{ext}. Fields: scheme, host, port, path, file, stem, ext, \
            ordinal, line, tag, sha256 (of the URL). Unsafe characters are replaced.
            """,
            valueName: "template"
        )
    )
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Levels of 256 folders above the names: 0 to 4.",
            valueName: "n"
        )
    )
    var fanout = 0

    @Option(
        help: ArgumentHelp(
            "What to do if the file exists: overwrite, skip (without a request), number, error.",
            valueName: "policy"
        )
    )
    var existing = Existing.overwrite

    @Flag(
        help: """
            Always restart downloads: neither keep nor resume partial downloads (of 1 MiB or more, \
            in DIR/.parts).
            """
    )
    var noContinue = false

    @Option(
        help: ArgumentHelp(
            """
            Fetch bodies of 32 MiB or more in up to this many segments at once (1 to 64), if the \
            server supports it (Accept-Ranges, strong ETag). The limits per host include segments.
            """,
            valueName: "n"
        )
    )
    var segments = 1

    @Option(
        help: ArgumentHelp(
            """
            Write tar files of this many bytes (1G) or bodies (10000) to DIR, for WebDataset. After \
            a kill, a new file is started and may repeat a body; the results say which one counts.
            """,
            valueName: "limit"
        )
    )
    var tar: String?

    @Flag(
        help: """
            Write WARC 1.1 files to DIR, with requests and responses of all statuses. After a kill \
            as with --tar.
            """
    )
    var warc = false

    @Option(
        help: ArgumentHelp(
            "Maximum bytes or bodies of a WARC file (default: 1G). Needs --warc.",
            valueName: "limit"
        )
    )
    var warcLimit: String?

    @Flag(
        help: """
            Write results to standard output, with bodies (up to 64 MiB each) in base 64. Until they \
            are read, larger ones are in an anonymous file in TMPDIR (or /tmp).
            """
    )
    var stdoutJsonl = false

    @Flag(help: "Add the SHA-256 of each body to the results.")
    var sha256 = false

    @Flag(
        help: """
            Save bodies as they are sent, compressed by gzip or deflate if the server does that. \
            Checksums are then those of the compressed bodies; lines with a checksum are requested \
            uncompressed.
            """
    )
    var noDecode = false

    @Flag(help: "Give files the time of Last-Modified.")
    var remoteTime = false

    @Flag(help: "Send HEAD instead of GET.")
    var head = false

    @Flag(
        help: """
            Fetch nothing and write no file: print the URLs that would be fetched and their file \
            names, tab-separated.
            """
    )
    var dryRun = false

    func validate() throws {
        guard output == nil || !discard else {
            throw ValidationError("--output and --discard exclude each other: remove one.")
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
                "--segments needs partial downloads, which --no-continue turns off: remove one."
            )
        }
        let kinds = [tar != nil, warc, stdoutJsonl, output == "-"].count { $0 }
        guard kinds <= 1 else {
            throw ValidationError(
                "--tar, --warc, --stdout-jsonl and --output - exclude each other: use only one."
            )
        }
        if tar != nil || warc, output == nil || output == "-" {
            throw ValidationError("--tar and --warc need a folder: name it with --output.")
        }
        if stdoutJsonl, output != nil || discard {
            throw ValidationError(
                "--stdout-jsonl writes the bodies to standard output: remove --output, --discard."
            )
        }
        let isFolder = output != nil && kinds == 0
        if !isFolder, out != nil || fanout > 0 || existing != .overwrite {
            throw ValidationError(
                "--out, --fanout and --existing need a folder of files: name it with --output."
            )
        }
        guard warc || warcLimit == nil else {
            throw ValidationError("--warc-limit needs --warc: add it, or remove --warc-limit.")
        }
        guard isFolder || segments == 1 else {
            throw ValidationError(
                "--segments needs a folder of files: name it with --output, or remove --segments."
            )
        }
        guard isFolder || !remoteTime else {
            throw ValidationError("--remote-time needs a folder of files: name it with --output.")
        }
        for (name, limit) in [("--tar", tar), ("--warc-limit", warcLimit)] {
            guard let limit, ArchiveLimit(limit) == nil else { continue }
            throw ValidationError(
                "\(name) is \(limit): use bytes, such as 500M or 1G, or a number of bodies."
            )
        }
        if let out { _ = try NameTemplate(out) }
        if let output { try validateStorage(output) }
    }

    /// Checks that object storage can do what the options say.
    private func validateStorage(_ output: String) throws {
        guard ObjectStorage.isAddress(output) else { return }
        do {
            _ = try ObjectStorage(address: output)
        } catch {
            throw ValidationError("--output: \(error).")
        }
        guard existing == .overwrite else {
            throw ValidationError(
                "Objects are always replaced: remove --existing \(existing), or name a folder."
            )
        }
        guard segments == 1 else {
            throw ValidationError(
                "--segments needs files, which object storage doesn't have: remove it, or name a "
                    + "folder."
            )
        }
        guard !remoteTime else {
            throw ValidationError(
                "--remote-time needs files, which object storage doesn't have: remove it, or name "
                    + "a folder."
            )
        }
    }

    /// Whether the output is object storage.
    var isInObjectStorage: Bool { output.map { ObjectStorage.isAddress($0) } ?? false }

    /// The label of the archives of a worker of a fleet.
    ///
    /// In a folder, locks keep the workers of a machine apart; in object storage nothing else does.
    func archiveLabel(of worker: String) -> String {
        guard isInObjectStorage else { return worker }
        return worker + "-" + String(UInt32.random(in: .min ... .max), radix: 36)
    }

    /// Whether bodies are written to files, which take a descriptor each.
    var writesFiles: Bool { output != nil }

    /// The options that reserve the standard output for bodies.
    var printed: [String] {
        (output == "-" ? ["--output -"] : []) + (stdoutJsonl ? ["--stdout-jsonl"] : [])
    }

    /// Applies the options to the library's configuration.
    func apply(to configuration: inout BatchConfiguration) throws {
        if sha256 { configuration.digests = [.sha256] }
        configuration.isHeadOnly = head
        configuration.decodesContent = !noDecode
        configuration.usesRemoteTime = remoteTime
        configuration.keepsPartialFiles = !noContinue
        configuration.segments = segments
        configuration.output = try kind()
    }

    private func kind() throws -> BatchOutput {
        if stdoutJsonl { return .stored(limit: Self.largest) }
        guard let output else { return .discard }
        if output == "-" { return .standardOutput }
        let storage =
            ObjectStorage.isAddress(output) ? try ObjectStorage(address: output) : nil
        if let limit = tar.flatMap({ ArchiveLimit($0) }) {
            return storage.map { .tarObjects(in: $0, limit: limit) }
                ?? .tar(in: output, limit: limit)
        }
        if warc, let limit = ArchiveLimit(warcLimit ?? "1G") {
            return storage.map { .warcObjects(in: $0, limit: limit) }
                ?? .warc(in: output, limit: limit)
        }
        let naming = FileNaming(
            template: try out.map { try NameTemplate($0) },
            fanout: fanout,
            existing: existing.value
        )
        return storage.map { .objects(in: $0, naming: naming) }
            ?? .directory(output, naming: naming)
    }
}
