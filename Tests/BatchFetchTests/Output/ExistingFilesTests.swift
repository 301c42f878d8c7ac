import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Runs whose file names already exist.
@Suite(.timeLimit(.minutes(10))) struct ExistingFilesTests {
    let folder: TemporaryDirectory
    let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { .text("new \($0.target)") }
        try folder.write("old", to: "name.txt")
    }

    private func fetch(
        _ existing: FileNaming.Existing,
        _ urls: [String]
    ) async throws -> [BatchResult] {
        let naming = FileNaming(template: try NameTemplate("name.txt"), existing: existing)
        let configuration = BatchConfiguration(
            concurrency: 1,
            output: .directory(folder.path, naming: naming)
        )
        var results: [BatchResult] = []
        let run = try Batch(configuration).start(.urls(urls.map { server.url + $0 }))
        for await result in run { results.append(result) }
        return results.sorted { $0.ordinal < $1.ordinal }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.read(name), as: UTF8.self)
    }

    @Test func existingFileIsReplacedByDefault() async throws {
        let results = try await fetch(.overwrite, ["/a"])
        #expect(results.first?.path == "name.txt")
        #expect(try text("name.txt") == "new /a")
    }

    @Test(arguments: [FileNaming.Existing.overwrite, .skip])
    func bodyOfAnotherURLIsNeitherReplacedNorReused(
        existing: FileNaming.Existing
    ) async throws {
        try FileManager.default.removeItem(atPath: folder.path("name.txt"))
        let results = try await fetch(existing, ["/a", "/b", "/a"])
        #expect(results.map(\.isFetched) == [true, false, true])
        #expect(results.map(\.path) == ["name.txt", nil, "name.txt"])
        #expect(results[1].failure?.code == .nameCollision)
        #expect(try text("name.txt") == "new /a")
        #expect(try folder.contents() == ["name.txt"])
    }

    @Test func skipFetchesNothing() async throws {
        let results = try await fetch(.skip, ["/a", "/b"])
        #expect(results.allSatisfy { $0.isExisting && $0.isFetched && $0.attempts == 0 })
        #expect(results.map(\.path) == ["name.txt", "name.txt"])
        #expect(server.requestCount == 0)
        #expect(try text("name.txt") == "old")
    }

    @Test func numberAddsANumberToTheName() async throws {
        let results = try await fetch(.number, ["/a", "/b", "/c"])
        #expect(Set(results.compactMap(\.path)) == ["name-1.txt", "name-2.txt", "name-3.txt"])
        for result in results {
            let path = try #require(result.path)
            #expect(try result.url.hasSuffix(String(text(path).dropFirst(4))))
        }
        #expect(try text("name.txt") == "old")
        #expect(try folder.contents().count == 4)
    }

    @Test func errorKeepsTheExistingFile() async throws {
        let results = try await fetch(.error, ["/a"])
        #expect(results.first?.failure?.code == .existingFile)
        let message = try #require(results.first?.failure?.message)
        #expect(message.contains("the file “name.txt” already exists"))
        #expect(results.first?.attempts == 0)
        #expect(server.requestCount == 0)
        #expect(try text("name.txt") == "old")
        #expect(try folder.contents() == ["name.txt"])
    }

    @Test(arguments: [FileNaming.Existing.skip, .error], ["folder", "a link to nothing"])
    func folderOrBrokenLinkIsNotAnExistingBody(existing: FileNaming.Existing, kind: String)
        async throws
    {
        let files = FileManager.default
        let path = folder.path("name.txt")
        try files.removeItem(atPath: path)
        if kind == "folder" {
            try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        } else {
            try files.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
        }
        let result = try #require(try await fetch(existing, ["/a"]).first)
        let name = try #require(result.path)
        #expect(result.isFetched && !result.isExisting && name != "name.txt", "\(result)")
        #expect(try text(name) == "new /a")
        #expect(try Set(folder.contents()) == ["name.txt", name])
        let again = try #require(try await fetch(existing, ["/a"]).first)
        #expect(again.isExisting == (existing == .skip) && again.attempts == 0, "\(again)")
        #expect(again.failure?.code == (existing == .error ? .existingFile : nil))
        #expect(server.requestCount == 1)
    }

    /// A file exists at the path of its folder, so the body gets its fallback name.
    @Test(arguments: [FileNaming.Existing.skip, .error])
    func bodyUnderItsFallbackNameExists(existing: FileNaming.Existing) async throws {
        let urls = ["/b", "/b/x"].map { server.url + $0 }
        func fetch(_ existing: FileNaming.Existing) async throws -> [BatchResult] {
            let naming = FileNaming(existing: existing)
            let configuration = BatchConfiguration(
                concurrency: 1,
                output: .directory(folder.path, naming: naming)
            )
            let run = try Batch(configuration).start(.urls(urls))
            return await run.reduce(into: []) { $0.append($1) }.sorted { $0.ordinal < $1.ordinal }
        }
        let first = try await fetch(.overwrite)
        #expect(first.map(\.isFetched) == [true, true])
        let second = try await fetch(existing)
        #expect(server.requestCount == 2)
        #expect(second.map(\.isExisting) == [existing == .skip, existing == .skip])
        if existing == .skip { #expect(second.map(\.path) == first.map(\.path)) }
    }

    @Test func linkToAFileIsAnExistingBody() async throws {
        let files = FileManager.default
        try files.moveItem(atPath: folder.path("name.txt"), toPath: folder.path("other"))
        try files.createSymbolicLink(
            atPath: folder.path("name.txt"),
            withDestinationPath: "other"
        )
        let result = try #require(try await fetch(.skip, ["/a"]).first)
        #expect(result.isExisting && server.requestCount == 0)
    }

    @Test func fileThatAppearsDuringTheFetchIsKept() async throws {
        let other = try TemporaryDirectory()
        let naming = FileNaming(template: try NameTemplate("x"), existing: .skip)
        let configuration = BatchConfiguration(output: .directory(other.path, naming: naming))
        let slow = try LoopbackServer { _ in
            _ = try? other.write("other", to: "x")
            return .text("new")
        }
        var results: [BatchResult] = []
        for await result in try Batch(configuration).start(.urls([slow.url + "/"])) {
            results.append(result)
        }
        #expect(results.first?.isExisting == true)
        #expect(try other.read("x") == Array("other".utf8))
        #expect(try other.contents() == ["x"])
    }
}
