import BatchFetch

/// The failures by kind, in bounded memory.
///
/// Each kind has its first example.
struct FailureTable: Sendable {
    /// A kind of failure.
    struct Row: Sendable {
        let name: String
        var count: Int
        /// The first example: its URL without secrets, its line, and its message.
        let url: String
        let line: Int
        let message: String
    }

    /// The maximum number of kinds; further ones are counted as "other".
    static let maximumKinds = 100

    private var rows: [String: Row] = [:]

    mutating func add(_ sample: ReportSample) {
        guard let failure = sample.failure else { return }
        let isKnown = rows[failure.name] != nil || rows.count < Self.maximumKinds
        let name = isKnown ? failure.name : "other"
        let count = rows[name]?.count ?? 0
        guard count == 0 else {
            rows[name]?.count += 1
            return
        }
        rows[name] = Row(
            name: Self.shortened(name, to: 60),
            count: 1,
            url: Self.shortened(URLText.forReport(sample.url), to: 200),
            line: sample.line,
            message: Self.shortened(failure.message, to: 300)
        )
    }

    /// All kinds, the most frequent first.
    var sorted: [Row] {
        rows.values.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    private static func shortened(_ text: String, to length: Int) -> String {
        text.count <= length ? text : "\(text.prefix(length))…"
    }
}
