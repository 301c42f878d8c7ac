/// Reads back lines of results, as far as a journal needs them. Pure.
struct ResultTail: Sendable {
    /// What a line says.
    struct Entry: Sendable, Hashable {
        let ordinal: Int
        let isFetched: Bool
    }

    /// What the lines say, in their order.
    private(set) var entries: [Entry] = []
    private var lines = LoggedResults()

    /// The bytes of whole lines.
    var wholeLength: Int64 { lines.wholeLength }

    /// Whether there was a line that is no result.
    var hasForeignLine: Bool { lines.hasForeignLine }

    /// How many lines say that their URL failed.
    var failed: Int { entries.count { !$0.isFetched } }

    /// Takes the next bytes.
    mutating func read(_ bytes: [UInt8]) {
        var found: [Entry] = []
        lines.read(bytes) { line, _ in
            found.append(Entry(ordinal: line.ordinal, isFetched: line.isFetched))
        }
        entries += found
    }
}
