import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Where complete bodies go: missing folders, existing files, links and protected names.
@Suite struct FilePlacementTests {
    private static let url = "http://a/1"

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func placement(
        _ name: String,
        _ existing: FileNaming.Existing,
        names: NameRegistry? = nil,
        url: String = url,
        protecting protected: Set<String> = []
    ) -> FilePlacement {
        var placement = FilePlacement(
            folder: folder.path,
            name: FileName(name, url: url),
            existing: existing,
            claim: nil,
            taken: names.map { ($0, url) }
        )
        placement.protectedNames = protected
        return placement
    }

    /// Writes a body, and returns the summary of its end.
    private func write(_ text: String, _ placement: FilePlacement) throws -> String {
        let file = NamedFile(placement)
        try file.append(Array(text.utf8))
        return try file.commit().summary
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.read(name), as: UTF8.self)
    }

    private func files() throws -> [String] {
        try TemporaryDirectory.files(in: folder.path).sorted()
    }

    private var fallback: String { FileName("x", url: Self.url).fallback }

    @Test(arguments: FileNaming.Existing.allCases)
    func missingFoldersAreCreated(existing: FileNaming.Existing) throws {
        #expect(try write("body", placement("a/b/c", existing)) == "file a/b/c")
        #expect(try files() == ["a/b/c"])
        #expect(try text("a/b/c") == "body")
    }

    @Test(arguments: FileNaming.Existing.allCases)
    func nameThatBeginsWithACombiningMarkIsReportedInFull(existing: FileNaming.Existing) throws {
        let end = try write("body", placement("\u{301}x", existing))
        #expect(Array(end.utf8) == Array("file \u{301}x".utf8))
    }

    @Test(arguments: FileNaming.Existing.allCases)
    func fileInPlaceOfAFolderLeadsToTheFallback(existing: FileNaming.Existing) throws {
        try folder.write("file", to: "a")
        #expect(try write("body", placement("a/b/c", existing)) == "file \(fallback)")
        #expect(try files() == ["a", fallback].sorted())
        #expect(try text("a") == "file" && text(fallback) == "body")
    }

    @Test(arguments: [FileNaming.Existing.overwrite, .skip, .error])
    func folderInPlaceOfTheFileLeadsToTheFallback(existing: FileNaming.Existing) throws {
        let other = placement("a/b", .overwrite, url: "http://a/2")
        #expect(try write("other", other) == "file a/b")
        #expect(try write("body", placement("a", existing)) == "file \(fallback)")
        #expect(try files() == ["a/b", fallback].sorted())
    }

    @Test func bodyIsInvisibleUntilItIsComplete() throws {
        try folder.write("old", to: "x")
        let file = NamedFile(placement("x", .overwrite))
        try file.append(Array("new".utf8))
        #expect(try text("x") == "old")
        let part = try #require(try folder.contents().first { $0 != "x" })
        #expect(part.hasPrefix(".") && part.hasSuffix(".part"))
        file.drop()
        #expect(try folder.contents() == ["x"])
        #expect(try text("x") == "old")
    }

    @Test func emptyBodyIsAnEmptyFile() throws {
        #expect(try NamedFile(placement("x", .error)).commit().summary == "file x")
        #expect(try folder.contents() == ["x"])
        #expect(try folder.read("x").isEmpty)
    }

    /// The link's target may be anywhere, and isn't the batch's to change.
    @Test func linkIsReplacedAndItsTargetKept() throws {
        let other = try TemporaryDirectory()
        let target = try other.write("target", to: "file")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("x"),
            withDestinationPath: target
        )
        #expect(try write("body", placement("x", .overwrite)) == "file x")
        #expect(try other.read("file") == Array("target".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("x"))
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        #expect(try text("x") == "body")
    }

    @Test(arguments: [
        (FileNaming.Existing.skip, "existing x.txt"),
        (.error, "failed existing_file: \(BatchFailure.existingFile("x.txt").message)"),
        (.number, "file x-2.txt"), (.overwrite, "file x.txt"),
    ])
    func existingFileDecidesTheEnd(existing: FileNaming.Existing, expected: String) throws {
        for name in ["x.txt", "x-1.txt"] { try folder.write("old", to: name) }
        #expect(try write("new", placement("x.txt", existing)) == expected)
        #expect(try text("x.txt") == (existing == .overwrite ? "new" : "old"))
        #expect(try text("x-1.txt") == "old")
        #expect(try folder.contents().count == (existing == .number ? 3 : 2))
    }

    @Test(arguments: [FileNaming.Existing.overwrite, .skip, .error])
    func nameOfAnotherURLOfTheRunIsNotReplaced(existing: FileNaming.Existing) throws {
        let names = NameRegistry()
        let first = placement("x", existing, names: names)
        #expect(try write("first", first) == "file x")
        let second = placement("x", existing, names: names, url: "http://a/2")
        let message = BatchFailure.nameCollision("x").message
        #expect(try write("second", second) == "failed name_collision: \(message)")
        #expect(try folder.contents() == ["x"])
        #expect(try text("x") == "first")
    }

    @Test(arguments: [FileNaming.Existing.overwrite, .skip, .error])
    func protectedNameIsNotUsed(existing: FileNaming.Existing) throws {
        try folder.write("results", to: "log")
        let message = BatchFailure.ownFile("log").message
        let placement = placement("log", existing, protecting: ["log"])
        #expect(try write("body", placement) == "failed name_collision: \(message)")
        #expect(try folder.contents() == ["log"])
        #expect(try text("log") == "results")
    }

    /// Also before the run has created its own file.
    @Test func protectedNameGetsANumber() throws {
        let placement = placement("log.txt", .number, protecting: ["log.txt"])
        #expect(try write("a", placement) == "file log-1.txt")
        #expect(try write("b", placement) == "file log-2.txt")
        #expect(try folder.contents() == ["log-1.txt", "log-2.txt"])
    }

    @Test func outputThatIsAFileIsReported() throws {
        let path = try folder.write("file", to: "out")
        let placement = FilePlacement(
            folder: path,
            name: FileName("x", url: Self.url),
            existing: .overwrite,
            claim: nil,
            taken: nil
        )
        let file = NamedFile(placement)
        let failure = #expect(throws: BatchFailure.self) { try file.append([1]) }
        #expect(failure?.code == .output && failure?.endsRun == false)
        #expect(failure?.message.contains("“\(path)/") == true)
        #expect(try text("out") == "file")
    }
}
