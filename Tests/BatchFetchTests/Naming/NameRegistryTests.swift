import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// The names that a run has given to bodies, and those in the results of earlier runs.
@Suite struct NameRegistryTests {
    let folder: TemporaryDirectory
    let results: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        results = try TemporaryDirectory()
    }

    private func line(_ ordinal: Int, _ url: String, path: String?) -> String {
        let path = path.map { ",\"path\":\"\($0)\"" } ?? ""
        return "{\"ordinal\":\(ordinal),\"url\":\"\(url)\",\"ok\":true\(path)}\n"
    }

    private func registry(after lines: String...) throws -> NameRegistry {
        let paths = try lines.enumerated().map { try results.write($1, to: "results-\($0)") }
        return NameRegistry(after: paths, in: folder.path)
    }

    @Test func nameBelongsToTheFirstURLThatTakesIt() {
        let registry = NameRegistry()
        #expect(!registry.isForeign("x", for: "http://a/1"))
        #expect(registry.take("x", for: "http://a/1"))
        #expect(registry.take("x", for: "http://a/1"))
        #expect(!registry.take("x", for: "http://a/2"))
        #expect(registry.isForeign("x", for: "http://a/2"))
        #expect(!registry.isForeign("x", for: "http://a/1"))
        #expect(registry.take("y", for: "http://a/2"))
    }

    /// A failed attempt to take a name leaves its owner.
    @Test func rejectedURLDoesNotBecomeAnOwner() {
        let registry = NameRegistry()
        #expect(registry.take("x", for: "http://a/1"))
        for _ in 0..<2 { #expect(!registry.take("x", for: "http://a/2")) }
        #expect(registry.take("x", for: "http://a/1"))
    }

    @Test func boundaryOfNameAndURLMatters() {
        let registry = NameRegistry()
        #expect(registry.take("ab", for: "c"))
        #expect(registry.take("a", for: "bc"))
        #expect(!registry.take("a", for: "c"))
        // File systems distinguish letter case.
        #expect(registry.take("AB", for: "d"))
    }

    @Test func nameOfAnEarlierRunIsForeignWhileItsFileExists() throws {
        try folder.write("body", to: "x")
        let registry = try registry(after: line(1, "http://a/1", path: "x"))
        #expect(registry.isForeign("x", for: "http://a/2"))
        #expect(!registry.take("x", for: "http://a/2"))
        #expect(!registry.isForeign("x", for: "http://a/1"))
        try FileManager.default.removeItem(atPath: folder.path("x"))
        #expect(registry.take("x", for: "http://a/2"))
        #expect(!registry.take("x", for: "http://a/1"))
    }

    @Test func folderOfAnEarlierNameIsNotItsBody() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("x"),
            withIntermediateDirectories: false
        )
        let registry = try registry(after: line(1, "http://a/1", path: "x"))
        #expect(!registry.isForeign("x", for: "http://a/2"))
    }

    @Test func existingFileWithoutAResultIsNotForeign() throws {
        try folder.write("body", to: "x")
        let registry = try registry(after: line(1, "http://a/1", path: nil))
        #expect(!registry.isForeign("x", for: "http://a/2"))
    }

    @Test func namesOfAllResultFilesCount() throws {
        for name in ["x", "y \"é\"", "z"] { try folder.write("body", to: name) }
        let registry = try registry(
            after: line(1, "http://a/1", path: "x"),
            line(1, "http://a/1?\\u00e9", path: "y \\\"é\\\"") + line(2, "http://a/3", path: "z")
        )
        #expect(registry.isForeign("x", for: "http://a/9"))
        #expect(registry.isForeign("z", for: "http://a/9"))
        // Escapes of JSON are those of the same text.
        #expect(registry.isForeign("y \"é\"", for: "http://a/9"))
        #expect(!registry.isForeign("y \"é\"", for: "http://a/1?é"))
    }

    @Test func unreadableResultsDoNotHideTheOthers() throws {
        try folder.write("body", to: "x")
        let known = try results.write(line(1, "http://a/1", path: "x"), to: "known")
        let invalid = try results.write("no result\n", to: "invalid")
        let registry = NameRegistry(
            after: [results.path("missing"), invalid, known],
            in: folder.path
        )
        #expect(registry.isForeign("x", for: "http://a/2"))
    }

    /// A killed run may have written only a part of its last line.
    @Test func tornLastResultIsIgnored() throws {
        for name in ["x", "y"] { try folder.write("body", to: name) }
        let torn = String(line(2, "http://a/2", path: "y").dropLast())
        let registry = try registry(after: line(1, "http://a/1", path: "x") + torn)
        #expect(registry.isForeign("x", for: "http://a/9"))
        #expect(!registry.isForeign("y", for: "http://a/9"))
    }

    @Test func concurrentURLsGetOneOwner() async {
        let registry = NameRegistry()
        let owners = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask { registry.take("x", for: "http://a/\(number)") }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(owners == 1)
    }

    @Test func messagesNameTheFileAndTheRemedy() {
        #expect(BatchFailure.nameCollision("a/b").message.contains("the same name “a/b”: use "))
        #expect(BatchFailure.nameCollision("a/b").code == .nameCollision)
        #expect(BatchFailure.ownFile("log").code == .nameCollision)
        #expect(BatchFailure.ownFile("log").message.hasPrefix("the name “log” is that of a file"))
        #expect(BatchFailure.existingFile("x").message.contains("“x” already exists: skip, "))
    }
}
