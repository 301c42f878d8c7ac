/// What, beside a list's bytes, decides which URL has which ordinal, in hashes that are the same in
/// every process. A journal's ordinals mean other URLs where one of them is different.
struct ListReading: Sendable, Hashable {
    /// Of the formats of all lists.
    var format: UInt64 = 0
    /// Of the columns' names.
    var columns: UInt64 = 0
    /// Of the base URL.
    var base: UInt64 = 0
    /// Whether URLs are patterns.
    var patterns: UInt64 = 0

    init() {}

    init(of lists: [String], _ options: BatchInput.Options) {
        let formats = lists.map { list in
            // One that goes by its name is the same as one that is told.
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

    /// What is different about `other`, in words; nil if nothing is.
    func change(to other: ListReading) -> String? {
        if format != other.format { return "it was begun with another format of the list" }
        if columns != other.columns { return "it was begun with other columns" }
        if base != other.base { return "it was begun with another base URL" }
        if patterns != other.patterns {
            return "patterns in URLs \(other.patterns == Self.hash([nil]) ? "were" : "weren't") "
                + "expanded when it was begun"
        }
        return nil
    }

    /// Neither the order nor where one text ends is lost.
    private static func hash(_ texts: [String?]) -> UInt64 {
        StableHash.hash(
            texts.flatMap { text in [UInt8(text == nil ? 0 : 1)] + (text ?? "").utf8 + [0] }
        )
    }
}
