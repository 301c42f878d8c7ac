internal import Foundation
internal import Testing

/// Checks that the folders of a target use each other in one direction only.
///
/// The order is in the article *Architecture*. A file that names a top-level type uses the folder
/// that declares it.
@Suite struct FolderOrderTests {
    /// The folders of each target, in the order of the article.
    private func orders() throws -> [String: [String]] {
        let rows = try #require(try SourceTree.architecture().table(["target", "folders"]))
        var orders: [String: [String]] = [:]
        for row in rows where row.count == 2 {
            let target = row[0].filter { $0 != "`" }
            orders[target] = row[1].split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        return orders
    }

    /// The folder of a file in its target; empty at the target's root.
    private func folder(_ file: SourceTree.File) -> String {
        let parts = file.path.split(separator: "/")
        return parts.count > 3 ? String(parts[2]) : ""
    }

    /// The names of the top-level types that a file declares.
    private func declarations(in file: SourceTree.File) -> [String] {
        file.code.compactMap { line in
            guard let first = line.first, first != " ", first != "/" else { return nil }
            let declared = line.firstMatch(
                of: /\b(?:struct|class|enum|protocol|actor|typealias) ([A-Z]\w*)/
            )
            return declared.map { String($0.1) }
        }
    }

    private func words(of file: SourceTree.File) -> Set<Substring> {
        var words: Set<Substring> = []
        for line in file.code {
            let plain = line.replacing(/"(?:\\.|[^"\\])*"/, with: "")
            for word in plain.matches(of: /\b[A-Z]\w*/) { words.insert(Substring(word.0)) }
        }
        return words
    }

    @Test func noFolderUsesALaterFolder() throws {
        let orders = try orders()
        let targets = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appendingPathComponent("Sources").path
        )
        for target in targets {
            let files = try SourceTree.swiftFiles("Sources/" + target)
            let folders = Set(files.map { folder($0) }).subtracting([""])
            let order = orders[target] ?? []
            #expect(folders == Set(order), "the article lists other folders of \(target)")
            expect(files, follow: order)
        }
        #expect(orders.count > 5)
    }

    /// The root of a target comes last: it may use all folders, and none uses it.
    private func expect(_ files: [SourceTree.File], follow order: [String]) {
        let place = { (name: String) in order.firstIndex(of: name) ?? order.count }
        var homes: [String: Set<String>] = [:]
        for file in files {
            for name in declarations(in: file) { homes[name, default: []].insert(folder(file)) }
        }
        for file in files {
            for word in words(of: file) {
                guard let home = homes[String(word)], home.count == 1, let to = home.first else {
                    continue
                }
                #expect(
                    place(to) <= place(folder(file)),
                    "\(file) names \(word), which is in a later folder"
                )
            }
        }
    }
}
