import Posix

/// The run that a journal belongs to.
struct JournalHeader: Sendable, Hashable {
    var input: InputIdentity
    /// How the lists are read.
    var reading = InputFingerprint()
    /// The file of the results.
    var results: String
    /// The output folder; empty if bodies aren't kept.
    var output: String

    /// Returns why a run with the header `other` can't resume this journal. Returns `nil` if it
    /// can.
    func objection(to other: JournalHeader) -> String? {
        if let change = input.change(to: other.input) { return change }
        if let change = reading.change(to: other.reading) { return change }
        if results != other.results {
            return "it was started with the results “\(results)”, not “\(other.results)”"
        }
        if output != other.output {
            return "it was started with the output “\(output)”, not “\(other.output)”"
        }
        return nil
    }
}

/// The options that decide which URL has which ordinal, as stable hashes.
///
/// If one of them changes, a journal's ordinals stand for other URLs. The hashes are the same in
/// every process.
struct InputFingerprint: Sendable, Hashable {
    /// Hash of the formats of all lists.
    var format: UInt64 = 0
    /// Hash of the column names.
    var columns: UInt64 = 0
    /// Hash of the base URL.
    var base: UInt64 = 0
    /// Hash that tells whether URL patterns are expanded.
    var patterns: UInt64 = 0

    init() {}

    init(of lists: [String], _ options: BatchInput.Options) {
        let formats = lists.map { list in
            // An automatic format equals the same format given explicitly.
            if case .file(let path) = InputList(list) {
                return "\(options.format.resolved(forFile: path))"
            }
            return "\(options.format.resolved(forFile: ""))"
        }
        let columns = options.columns
        format = Self.hash(formats)
        self.columns = Self.hash([columns.url, columns.tag, columns.name, columns.sha256])
        base = Self.hash([options.base])
        patterns = Self.hash([options.expandsPatterns ? "expanded" : nil])
    }

    /// Returns how `other` differs, in words; `nil` if it is equal.
    func change(to other: InputFingerprint) -> String? {
        if format != other.format { return "it was started with another list format" }
        if columns != other.columns { return "it was started with other columns" }
        if base != other.base { return "it was started with another base URL" }
        if patterns != other.patterns {
            return "patterns in URLs \(other.patterns == Self.hash([nil]) ? "were" : "weren't") "
                + "expanded when it was started"
        }
        return nil
    }

    /// Depends on the order and the boundaries of the texts.
    private static func hash(_ texts: [String?]) -> UInt64 {
        StableHash.hash(
            texts.flatMap { text in [UInt8(text == nil ? 0 : 1)] + (text ?? "").utf8 + [0] }
        )
    }
}

/// Identifies the input lists without reading them completely.
struct InputIdentity: Sendable, Hashable {
    private static let sample = 64 * 1024

    var path: String
    var size: Int64
    /// The last modification, in nanoseconds since 1970.
    var modified: Int64
    /// A hash of the first and last 64 KiB of each file, and of URLs with a query.
    var hash: UInt64
    private var isPlain = true

    init(path: String, size: Int64, modified: Int64, hash: UInt64) {
        self.path = path
        self.size = size
        self.modified = modified
        self.hash = hash
    }

    /// Identifies several lists; an argument may also be a URL to fetch.
    ///
    /// A journal must not store secrets. So user name and password of a URL don't count, and what
    /// else a report doesn't show, such as the query, is only part of the hash.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if a list is not a regular file, or can't be read.
    init(of lists: [String]) throws(BatchFailure) {
        let names = lists.map { list in
            if case .url(let url) = InputList(list) { return URLText.forReport(url) }
            return list
        }
        self.init(path: names.joined(separator: " "), size: 0, modified: 0, hash: 0)
        for (list, name) in zip(lists, names) {
            switch InputList(list) {
            case .standardInput: continue
            case .url(let url):
                let plain = URLText.withoutUserInfo(url)
                if plain != name { hash = StableHash.mixed(hash) ^ StableHash.hash(plain.utf8) }
            case .file(let path):
                let identity = try InputIdentity(of: path)
                size += identity.size
                modified = max(modified, identity.modified)
                hash = StableHash.mixed(hash) ^ identity.hash
            }
        }
    }

    /// Identifies one file.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the file is not a regular one, or can't be read.
    init(of path: String) throws(BatchFailure) {
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            isPlain = try file.kind() == .regular
            let size = isPlain ? try file.size() : 0
            let first = isPlain ? try file.bytes(at: 0, upTo: Self.sample) : []
            let start = max(0, size - Int64(Self.sample))
            let last = isPlain ? try file.bytes(at: start, upTo: Self.sample) : []
            self.path = path
            self.size = size
            modified = try file.modificationTime()
            hash = StableHash.mixed(StableHash.hash(first)) ^ StableHash.hash(last)
        } catch {
            throw BatchFailure(.input, "\(error): name a file with one URL a line")
        }
        guard isPlain else {
            throw BatchFailure(
                .input,
                "“\(path)” is not a regular file, which a journal needs: name one, or read standard "
                    + "input with --spool"
            )
        }
    }

    /// Returns how `other` differs, in words. Returns `nil` if it is the same list.
    func change(to other: InputIdentity) -> String? {
        if path != other.path {
            return "it was started with the list “\(path)”, not “\(other.path)”"
        }
        if size != other.size {
            return "the list had \(size) bytes when it was started, and now has \(other.size)"
        }
        if hash != other.hash {
            return size == 0 && path.contains("…")
                ? "the URL has changed since it was started"
                : "the list's content has changed since it was started"
        }
        if modified != other.modified {
            return "the list was modified since it was started"
        }
        return nil
    }
}
