internal import HTTPSemantics
import Posix

/// The destination of a batch's bodies.
///
/// Only bodies of responses with a status of 200 … 299 are written, except with
/// ``warc(in:limit:)``, which keeps all.
public struct BatchOutput: Sendable {
    enum Kind: Sendable {
        case discard
        case directory(String, FileNaming)
        case objects(ObjectStorage, FileNaming)
        case tar(ArchiveLocation, ArchiveLimit)
        case warc(ArchiveLocation, ArchiveLimit)
        case standardOutput
        case memory(limit: Int)
        case stored(limit: Int)
        // Not a function of the target: swiftc passes such a large value by its address, and its verifier rejects
        // how it then takes the function out of the enum.
        case inspected(@Sendable (_ path: String) -> any BodyInspector)
    }

    /// Where archives go.
    enum ArchiveLocation: Sendable {
        case folder(String)
        case objects(ObjectStorage)
    }

    let kind: Kind

    /// The folder with the bodies; `nil` if they aren't in files.
    package var folder: String? {
        switch kind {
        case .directory(let folder, _), .tar(.folder(let folder), _), .warc(.folder(let folder), _):
            folder
        default: nil
        }
    }

    /// A part of the names of tar and WARC files, for several runs at a time with the same output.
    ///
    /// With `worker`, they are `shard-worker-00000.tar` …; `nil`, the default, adds nothing. A
    /// character that isn't a letter, a digit, `-`, `.` or `_` becomes `_`.
    public var archiveLabel: String?

    /// Receives and counts bodies, and drops them.
    public static let discard = BatchOutput(kind: .discard)

    /// Writes each body to a file in this folder.
    ///
    /// The folder is created if it is missing. By default a name follows from the URL
    /// (`host/path`), is safe, and differs for different URLs; a file of an earlier run is
    /// replaced. A file gets its name only when it is complete. The batch's own threads write the
    /// files.
    public static func directory(
        _ path: String,
        naming: FileNaming = FileNaming()
    ) -> BatchOutput {
        BatchOutput(kind: .directory(path, naming))
    }

    /// Stores each body as an object below the prefix of this storage.
    ///
    /// Names are those of ``directory(_:naming:)``. An existing object is replaced: any other
    /// ``FileNaming/existing`` is a configuration error. An object exists only when it is complete,
    /// and a URL has its result after that. Until then a body of more than 128 KiB is in an anonymous
    /// file in `TMPDIR` (or `/tmp`); partial bodies aren't kept between runs.
    public static func objects(
        in storage: ObjectStorage,
        naming: FileNaming = FileNaming()
    ) -> BatchOutput {
        BatchOutput(kind: .objects(storage, naming))
    }

    /// Writes bodies to tar files in this folder.
    ///
    /// The files are `shard-00000.tar` …; the folder is created if it is missing. A body is a
    /// member such as `000000017.jpg`, named for its number among all URLs, followed by a member
    /// `000000017.json` with its metadata. A tar file has the suffix `.part` until it is complete.
    ///
    /// A file that a killed run has left is closed after its last complete body and gets no further
    /// bodies; a resumed run starts a new file. A file without a complete body is removed, unless it
    /// is damaged. With a journal, a body that was written but not yet recorded is fetched again and
    /// may be in both files. The URL still has only one result, which names the valid copy.
    public static func tar(in folder: String, limit: ArchiveLimit) -> BatchOutput {
        BatchOutput(kind: .tar(.folder(folder), limit))
    }

    /// Writes bodies to tar files below the prefix of this storage.
    ///
    /// The files are as those of ``tar(in:limit:)``. A file is stored when it is full, and at
    /// the latest a minute after its first body. Only then its results are delivered, so a killed run
    /// leaves no results without bodies: a resumed run fetches these again. Until then the file is an
    /// anonymous one in `TMPDIR` (or `/tmp`). One run at a time writes archives to a prefix.
    public static func tarObjects(in storage: ObjectStorage, limit: ArchiveLimit) -> BatchOutput {
        BatchOutput(kind: .tar(.objects(storage), limit))
    }

    /// Writes responses to WARC 1.1 files in this folder.
    ///
    /// The folder is created if it is missing. The files are `batch-00000.warc.gz` … and hold all
    /// complete responses of any status, redirects included, with their requests. A redirect's
    /// content is truncated to 64 KiB (`WARC-Truncated`). Bodies are stored as they were sent: gzip
    /// and deflate are accepted, except for a request with an expected checksum. Each record has the
    /// address of the server and the id of the file's `warcinfo` record. Request fields with
    /// credentials are redacted, and so are the cookies in the response to such a request. A file
    /// has the suffix `.part` until it is complete; after a kill it is treated as with
    /// ``tar(in:limit:)``.
    public static func warc(in folder: String, limit: ArchiveLimit) -> BatchOutput {
        BatchOutput(kind: .warc(.folder(folder), limit))
    }

    /// Writes responses to WARC 1.1 files below the prefix of this storage.
    ///
    /// The files are as those of ``warc(in:limit:)``, and are stored as those of
    /// ``tarObjects(in:limit:)``.
    public static func warcObjects(in storage: ObjectStorage, limit: ArchiveLimit) -> BatchOutput {
        BatchOutput(kind: .warc(.objects(storage), limit))
    }

    /// Writes the only body to standard output when it is complete.
    ///
    /// A second body fails.
    public static let standardOutput = BatchOutput(kind: .standardOutput)

    /// The rules for the names of bodies, if each has its own.
    var naming: FileNaming? {
        switch kind {
        case .directory(_, let naming), .objects(_, let naming): naming
        case .discard, .tar, .warc, .standardOutput, .memory, .stored, .inspected: nil
        }
    }

    /// The object storage of the bodies, if they go there.
    var storage: ObjectStorage? {
        switch kind {
        case .objects(let storage, _), .tar(.objects(let storage), _),
            .warc(.objects(let storage), _):
            storage
        case .discard, .directory, .tar, .warc, .standardOutput, .memory, .stored, .inspected: nil
        }
    }

    /// - Throws: ``BatchFailure/Code/configuration`` for what object storage can't do.
    func validate() throws(BatchFailure) {
        guard case .objects(_, let naming) = kind, naming.existing != .overwrite else { return }
        throw BatchFailure(
            .configuration,
            "objects are always replaced: output.naming.existing has to be overwrite"
        )
    }

    /// The output folder, if each body has its own file.
    var namingFolder: String? {
        if case .directory(let path, _) = kind { path } else { nil }
    }

    /// Whether existing files are kept.
    var keepsExisting: Bool {
        if case .directory(_, let naming) = kind { naming.existing != .overwrite } else { false }
    }

    /// Whether bodies are stored as they were transferred.
    var keepsTransferred: Bool {
        if case .warc = kind { true } else { false }
    }

    /// Returns each body in its result.
    ///
    /// A body of more than `limit` bytes fails. At most twice the concurrency of results, with
    /// their bodies, are held for the consumer.
    public static func memory(limit: Int) -> BatchOutput {
        BatchOutput(kind: .memory(limit: limit))
    }

    /// Adds each body to its line of a ``ResultLog``.
    ///
    /// A body of more than `limit` bytes fails. Until the line is written, bodies of more than 64
    /// KiB are in an anonymous file in `TMPDIR` (or `/tmp`).
    package static func stored(limit: Int) -> BatchOutput {
        BatchOutput(kind: .stored(limit: limit))
    }

    /// Passes each body to its own inspector, which accepts or rejects it.
    ///
    /// - Parameter inspector: Creates an inspector for the path, query and fragment of a URL.
    package static func inspected(
        by inspector: @escaping @Sendable (_ path: String) -> any BodyInspector
    ) -> BatchOutput {
        BatchOutput(kind: .inspected(inspector))
    }
}

extension BatchOutput {
    /// Creates a folder for bodies, unless it exists.
    ///
    /// - Throws: ``BatchFailure/Code/output`` if it can't be created.
    static func makeFolder(_ path: String) throws(BatchFailure) {
        do throws(FileError) {
            try FileSystem.makeDirectory(path)
        } catch {
            throw BatchFailure(
                .output,
                "\(error): name a folder that exists or can be created"
            )
        }
    }
}

/// When to close an archive file and start the next one.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ArchiveLimit: Sendable, Hashable {
    /// When the file has at least this many bytes.
    case bytes(Int64)
    /// When the file has this many bodies.
    case entries(Int)

    /// Parses a limit. `10000` is a number of bodies; `500M`, `1G` or `1GiB` is a size.
    ///
    /// `M` and `G` are powers of 1,000, `GiB` of 1,024. `nil` for anything else, and for zero.
    public init?(_ text: String) {
        if let entries = Int(text), text.utf8.allSatisfy(\.isASCIIDigit) {
            guard entries > 0 else { return nil }
            self = .entries(entries)
        } else {
            guard let bytes = ByteAmount.bytes(text), bytes > 0 else { return nil }
            self = .bytes(bytes)
        }
    }

    /// Whether a file of this size and number of bodies is full.
    func isReached(bytes: Int64, entries: Int) -> Bool {
        switch self {
        case .bytes(let limit): bytes >= limit
        case .entries(let limit): entries >= limit
        }
    }
}

/// Inspects one body as it arrives.
///
/// Called on an event loop: it must return quickly and must not block.
package protocol BodyInspector: AnyObject, Sendable {
    /// Inspects the next bytes.
    func inspect(_ bytes: Span<UInt8>)

    /// Ends the complete body; returns what is wrong with it, or `nil`.
    func finish() -> String?
}
