internal import CurlTransport
import HTTPTypes
import Posix

extension BatchInput {
    /// How to read the lists, and which part of them to fetch.
    public struct Options: Sendable, Hashable {
        /// The format of the lists; by default determined by their names.
        public var format = InputFormat.automatic
        /// The columns of CSV and TSV.
        public var columns = InputColumns()
        /// The base URL for relative references (RFC 3986, section 5).
        ///
        /// It must be absolute. With `nil`, the default, the URLs in the lists must be absolute.
        public var base: String?
        /// Whether to expand URL patterns that stand for many URLs. Off by default.
        ///
        /// Patterns are `{1..1000}`, `{001..100}`, `{1..9..2}` (step 2), `{a..f}`, `{x,y}`, and
        /// curl's `[001-100]` and `[1-9:2]`. They are expanded one URL at a time; the last pattern
        /// changes fastest. A backslash escapes a brace or bracket. The default is off because URLs
        /// may contain braces and brackets.
        public var expandsPatterns = false
        /// Whether the first malformed line ends the run with a ``BatchRun/inputFailure``.
        ///
        /// Otherwise only that line fails. False by default.
        public var isStrict = false
        /// Which URLs count as duplicates; none by default. A duplicate is not fetched and has no
        /// result, except with ``reportsDuplicates``.
        public var deduplication = Deduplication.off
        /// The folder below which JSONL lists may name files as `body_file`.
        ///
        /// A path is relative to this folder, or absolute. Symbolic links and `..` must not lead
        /// out of it; other users should not be able to change it. With `nil`, the default,
        /// lines with `body_file` fail: a list from elsewhere must not send any file of the machine.
        /// Doesn't apply to ``BatchRequest/body``.
        public var bodyFolder: String?
        /// Whether a duplicate has a result, with ``BatchResult/duplicateOf``. False by default.
        ///
        /// Then each request takes about 40 bytes instead of 11, for the ordinal of the first.
        public var reportsDuplicates = false
        /// The part of the list to fetch. `nil`, the default, for all of it.
        ///
        /// Line numbers and ordinals refer to the whole list.
        public var shard: InputShard?

        /// Creates options with the defaults.
        public init() {}
    }

    /// - Throws: ``BatchFailure/Code/configuration`` for invalid options,
    ///   ``BatchFailure/Code/input`` for a missing or unreadable list.
    func validate() throws(BatchFailure) {
        if let base = options.base {
            do throws(BatchFailure) {
                _ = try FetchTarget(base)
            } catch {
                throw BatchFailure(.configuration, "the base URL is invalid: \(error)")
            }
            guard !URLParsing.hasUserInfo(base) else {
                throw BatchFailure(
                    .configuration,
                    "the base URL has a user name or password, which relative URLs don't "
                        + "inherit: remove it, and write it in the lines"
                )
            }
        }
        if let folder = options.bodyFolder {
            guard (try? FileSystem.kind(of: folder)) == .directory else {
                throw BatchFailure(
                    .configuration,
                    "“\(folder)” is not a folder: name the folder of the bodies to send"
                )
            }
        }
        guard case .lists(let lists) = kind else { return }
        guard !lists.isEmpty else {
            throw BatchFailure(.input, "no list is given: name a file, or - for standard input")
        }
        guard lists.count(where: { $0 == .standardInput }) <= 1 else {
            throw BatchFailure(
                .configuration,
                "standard input can be read only once: use - once"
            )
        }
        for list in lists.dropFirst() { try list.check() }
    }
}

/// Which URLs of a list count as duplicates.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Deduplication: String, Sendable, Hashable, CaseIterable {
    /// None: a URL that occurs twice is fetched twice.
    case off
    /// URLs with the same text.
    case exact
    /// URLs that are equal after normalisation (RFC 3986, sections 6.2.2 and 6.2.3).
    ///
    /// For instance `HTTP://A:80/%7Eb/../c#d` and `http://a/c`.
    case normalised

    /// Returns the key of a request: its URL, method, fields and content. Each part but the URL
    /// begins with its kind, so that a field isn't taken for a content.
    func key(of target: FetchTarget) -> [[UInt8]] {
        let url =
            self == .normalised
            ? URLNormalisation.bytes(of: target) : Array(target.url.utf8)
        guard let request = target.details?.request else { return [url] }
        var key = [url]
        if request.method != .get { key.append(Array("m\(request.method.rawValue)".utf8)) }
        for field in request.headerFields {
            key.append(Array("h\(field.name.canonicalName): \(field.value)".utf8))
        }
        switch request.body {
        case .none: break
        case .bytes(let bytes): key.append([UInt8(ascii: "b")] + bytes)
        case .file(let path): key.append(Array("f\(path)".utf8))
        }
        return key
    }
}

/// One of several parts of a list, for separate runs.
///
/// The runs may be on different machines. A host always belongs to the same part, whatever the
/// list, so the per-host limits of each run hold for all runs together.
public struct InputShard: Sendable, Hashable {
    /// The number of this part, from 0.
    public let index: Int
    /// The number of parts.
    public let count: Int

    /// Returns `nil` unless `index` is in `0..<count`.
    public init?(index: Int, count: Int) {
        guard count >= 1, index >= 0, index < count else { return nil }
        self.index = index
        self.count = count
    }

    /// Parses `0/8` … `7/8`; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
        self.init(index: index, count: count)
    }
}
