internal import Foundation

/// Reads the package's own files. It finds them relative to this file's path at compile time.
enum SourceTree {
    /// The package's folder.
    static let root: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url
    }()

    /// A Swift file, and its lines without comments.
    struct File: CustomStringConvertible {
        /// Relative to the package's folder.
        let path: String
        let text: String
        let lines: [Substring]
        let code: [String]

        init(path: String, text: String) {
            self.path = path
            self.text = text
            lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            code = lines.map { Self.withoutComment(String($0)) }
        }

        var description: String { path }
        var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

        private static func withoutComment(_ line: String) -> String {
            guard line.contains("//") else { return line }
            var isInString = false
            var previous: Character = " "
            for index in line.indices {
                if line[index] == "\"", previous != "\\" { isInString.toggle() }
                if !isInString, line[index...].hasPrefix("//") { return String(line[..<index]) }
                previous = line[index]
            }
            return line
        }
    }

    /// The paths of all files below `folder`, relative to the package's folder.
    static func paths(_ folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        var paths: [String] = []
        while let path = found?.nextObject() as? String {
            if !path.hasPrefix(".build"), !path.contains("/.build/") {
                paths.append("\(folder)/\(path)")
            }
        }
        return paths.sorted()
    }

    static func swiftFiles(_ folder: String) throws -> [File] {
        try paths(folder).filter { $0.hasSuffix(".swift") }.map { path in
            let url = root.appendingPathComponent(path)
            return File(path: path, text: try String(contentsOf: url, encoding: .utf8))
        }
    }
    /// A page in Markdown, of which tests read tables.
    struct Page {
        let text: String

        /// The cells of a table's rows; nil if there is no such table.
        ///
        /// - Parameters:
        ///   - columns: The titles of the table's columns.
        ///   - heading: The line above the section with the table; nil for the whole page.
        func table(_ columns: [String], under heading: String? = nil) -> [[String]]? {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
            if let heading {
                guard let start = lines.firstIndex(where: { $0 == heading }) else { return nil }
                lines = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
            }
            guard let start = lines.firstIndex(where: { Self.cells(of: $0) == columns }) else {
                return nil
            }
            // The line below the titles separates them from the rows.
            let rows = lines[(start + 1)...].prefix { $0.hasPrefix("|") }.dropFirst()
            return rows.map { Self.cells(of: $0) }
        }

        private static func cells(of line: Substring) -> [String] {
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The article *Architecture*.
    static func architecture() throws -> Page {
        let path = "Sources/CurlTransport/Documentation.docc/Architecture.md"
        let url = root.appendingPathComponent(path)
        return Page(text: try String(contentsOf: url, encoding: .utf8))
    }
}
