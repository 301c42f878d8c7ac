internal import Foundation

/// The pages and documentation comments, and the examples that were compiled.
enum PageSource {
    /// The package's folder.
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let catalogues = [
        "BatchFetch", "BatchReport", "CurlNetworking", "CurlNetworkingXML", "CurlResilience",
        "CurlServices", "CurlTransport", "CurlTransportFoundation", "CurlTransportTesting",
        "CurlURLSession", "CurlURLSessionTesting",
    ].map { "Sources/\($0)/Documentation.docc" }
    private static let sources = "Sources"
    private static let examples = "Tests/DocumentationTests/Snippets"

    /// The texts of the pages by their names, as examples name them.
    ///
    /// The documentation comments of a source file are a page with the file's name.
    static func pages() throws -> [String: String] {
        var pages = [
            "README": try text("README.md"),
            "CONTRIBUTING": try text(".github/CONTRIBUTING.md"),
        ]
        for catalogue in catalogues {
            for path in try paths(in: catalogue, endingWith: ".md") {
                pages[name(of: path)] = try text(path)
            }
        }
        for path in try paths(in: sources, endingWith: ".swift") {
            let comments = Drift.comments(of: try text(path))
            guard comments.contains("```") else { continue }
            let file = URL(fileURLWithPath: path).lastPathComponent
            pages[file, default: ""] += comments + "\n"
        }
        return pages
    }

    /// All examples, with the faults of their marks.
    static func snippets() throws -> SnippetFile {
        var all = SnippetFile()
        for path in try paths(in: examples, endingWith: ".swift") {
            let file = SnippetFile(try text(path), path: path)
            all.snippets += file.snippets
            all.faults += file.faults
        }
        return all
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func name(of path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    private static func paths(in folder: String, endingWith suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(
            atPath: root.appendingPathComponent(folder).path
        )
        .filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }
}
