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

    /// Whether the list is standard input, whose requests are identified by their content.
    var isStream: Bool { input.path == "-" }

    /// Returns why a run with the header `other` can't resume this journal. Returns `nil` if it
    /// can.
    ///
    /// Doesn't compare the content of lists, which ``InputIdentity/resuming(_:)`` reads.
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
