internal import Testing

/// Checks the tables of the files that one request passes: each file exists, and they are few.
///
/// The tables are in the article *Architecture*.
@Suite struct RequestWayTests {
    /// The way of one request, which has a section with a table in the article.
    struct Way: Sendable, CustomTestStringConvertible {
        /// The section's heading.
        let heading: String
        /// The maximum number of files.
        let limit: Int

        var testDescription: String { heading }
    }

    private static let ways = [
        Way(heading: "From HTTPClient.send to the collected body", limit: 25),
        Way(heading: "From HTTPSessionManager.get to its handler", limit: 45),
        Way(heading: "From a line of a list to its result", limit: 40),
    ]

    /// The faults of a way's table; empty if there are none.
    ///
    /// - Parameter paths: The paths of all source files.
    private func faults(of way: Way, on page: SourceTree.Page, paths: [String]) -> [String] {
        let table = page.table(["where", "files"], under: "### " + way.heading)
        guard let rows = table, !rows.isEmpty else { return ["there is no table"] }
        var faults: [String] = []
        var names: [String] = []
        for row in rows {
            guard row.count == 2, row[1].wholeMatch(of: /(?:`[\w+]+`(?:, |$))+/) != nil else {
                faults.append("a row has no list of files: \(row.joined(separator: " | "))")
                continue
            }
            let target = row[0].firstMatch(of: /`(\w+)`/).map { "Sources/\($0.1)" }
            let folder = target ?? "Sources"
            for match in row[1].matches(of: /[\w+]+/) {
                let name = String(match.0)
                if names.contains(name) { faults.append("\(name) is listed twice") }
                names.append(name)
                let count = paths.filter { path in
                    path.hasPrefix(folder + "/") && path.hasSuffix("/\(name).swift")
                }.count
                if count != 1 { faults.append("\(folder) has \(count) files \(name).swift") }
            }
        }
        if names.count > way.limit {
            faults.append("\(names.count) files are listed; the limit is \(way.limit)")
        }
        return faults
    }

    @Test("Each way in the article lists few files, which exist", arguments: ways)
    func articleListsFewExistingFilesForEachWay(_ way: Way) throws {
        let page = try SourceTree.architecture()
        #expect(faults(of: way, on: page, paths: SourceTree.paths("Sources")) == [])
    }

    /// The check above finds each fault. The limit is two files.
    @Test(
        "A faulty table of files is reported",
        arguments: [
            ("| here | `One`, `Two` |", []),
            ("| here | `One` |\n| there, `B` | `Same` |", []),
            ("| here | `Missing` |", ["Sources has 0 files Missing.swift"]),
            ("| there, `B` | `One` |", ["Sources/B has 0 files One.swift"]),
            ("| here | `Same` |", ["Sources has 2 files Same.swift"]),
            ("| here | `One` |\n| there | `One` |", ["One is listed twice"]),
            ("| here | `One`, `Two`, `Three` |", ["3 files are listed; the limit is 2"]),
            ("| here | `One`, Two |", ["a row has no list of files: here | `One`, Two"]),
            ("| here | |", ["a row has no list of files: here | "]),
            ("", ["there is no table"]),
        ] as [(String, [String])]
    )
    func faultyTableIsReported(_ rows: String, _ reported: [String]) {
        let page = SourceTree.Page(
            text: """
                ### Another way
                | where | files |
                | --- | --- |
                | here | `Other` |
                ### The way
                | where | files |
                | --- | --- |
                \(rows)
                ### The end
                """
        )
        let paths = ["A/One", "A/Two", "A/Sub/Three", "A/Same", "B/Same"].map {
            "Sources/\($0).swift"
        }
        let way = Way(heading: "The way", limit: 2)
        #expect(faults(of: way, on: page, paths: paths) == reported)
        let missing = Way(heading: "No way", limit: 2)
        #expect(faults(of: missing, on: page, paths: paths) == ["there is no table"])
    }
}
