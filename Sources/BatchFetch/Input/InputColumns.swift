/// Which columns of a CSV or TSV list say what. A column is known by its name in the first row, or,
/// where these are all numbers, by its number from 1: then the first row is data like the others.
public struct InputColumns: Sendable, Hashable {
    /// The column of the URLs.
    public var url: String
    /// That of ``BatchRequest/tag``, if there is one.
    public var tag: String?
    /// That of ``BatchRequest/name``, if there is one.
    public var name: String?
    /// That of SHA-256 checksums, if there is one.
    public var sha256: String?

    /// Creates columns; that of the URLs is called `url` unless told otherwise.
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

    /// Whether columns are known by number, so that there is no row of names.
    var areNumbers: Bool {
        all.allSatisfy { Int($0).map { $0 > 0 } ?? false }
    }

    /// Where the columns stand in rows under a row of names, or without one.
    ///
    /// - Throws: ``BatchFailure`` for a name that the row doesn't have, with those that it has.
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
                + "its number if there is no row of names"
        )
    }

    /// Where the columns stand, from 0.
    struct Places: Sendable, Hashable {
        var url: Int
        var tag: Int?
        var name: Int?
        var sha256: Int?
    }
}
