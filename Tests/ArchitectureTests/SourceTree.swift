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
}
