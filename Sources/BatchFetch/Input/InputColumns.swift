/// The columns of a CSV or TSV list.
///
/// A column is a name from the first row. If all columns are numbers (from 1), they are positions,
/// and the first row is data.
public struct InputColumns: Sendable, Hashable {
    /// The column with the URL.
    public var url: String
    /// The column with ``BatchRequest/tag``, if any.
    public var tag: String?
    /// The column with ``BatchRequest/name``, if any.
    public var name: String?
    /// The column with the SHA-256 checksum, if any.
    public var sha256: String?

    /// Creates columns; the URL's column is `url` by default.
    public init(
        url: String = "url",
        tag: String? = nil,
        name: String? = nil,
        sha256: String? = nil
    ) {
        self.url = url
        self.tag = tag
        self.name = name
        self.sha256 = sha256
    }

    private var all: [String] { [url, tag, name, sha256].compactMap { $0 } }

    /// Whether all columns are numbers; then the list has no header row.
    var areNumbers: Bool {
        all.allSatisfy { Int($0).map { $0 > 0 } ?? false }
    }

    /// Returns the positions of the columns.
    ///
    /// - Parameter names: The header row; `nil` if the columns are numbers.
    /// - Throws: ``BatchFailure`` for a name that the header row doesn't have; the message lists
    ///   the names that it has.
    func places(in names: [String]?) throws(BatchFailure) -> Places {
        var places = Places(url: try place(of: url, in: names))
        if let tag { places.tag = try place(of: tag, in: names) }
        if let name { places.name = try place(of: name, in: names) }
        if let sha256 { places.sha256 = try place(of: sha256, in: names) }
        return places
    }

    private func place(of column: String, in names: [String]?) throws(BatchFailure) -> Int {
        guard let names else { return (Int(column) ?? 1) - 1 }
        if let place = names.firstIndex(of: column) { return place }
        if let place = names.firstIndex(where: { $0.lowercased() == column.lowercased() }) {
            return place
        }
        let known = names.prefix(20).map { "“\($0.prefix(40))”" }.joined(separator: ", ")
        throw BatchFailure(
            .input,
            "the first row has no column “\(column)”, but \(known): name one of them, or give "
                + "its number if there is no header row"
        )
    }

    /// The positions of the columns, from 0.
    struct Places: Sendable, Hashable {
        var url: Int
        var tag: Int?
        var name: Int?
        var sha256: Int?
    }
}
