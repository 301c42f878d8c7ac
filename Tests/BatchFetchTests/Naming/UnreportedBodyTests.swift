import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Bodies that a killed run had written without a result.
@Suite(.timeLimit(.minutes(10))) struct UnreportedBodyTests {
    let folder: TemporaryDirectory
    let out: TemporaryDirectory
    let server: LoopbackServer
    let list: String
    let round = Counter()

    init() throws {
        folder = try TemporaryDirectory()
        out = try TemporaryDirectory()
        let round = round
        let server = try LoopbackServer { .text("\($0.target) of round \(round.value)") }
        self.server = server
        list = try folder.write(
            (1...4).map { "\(server.url)/\($0)\n" }.joined(),
            to: "list"
        )
    }

    /// Fetches like a run that is killed before any result is written. The bodies already have
    /// their names. With `isLogged` it writes the results.
    private func fetch(
        _ existing: FileNaming.Existing,
        template: String = "{file}.txt",
        isLogged: Bool
    ) async throws -> [BatchResult] {
        let naming = FileNaming(template: try NameTemplate(template), existing: existing)
        let batch = Batch(
            BatchConfiguration(concurrency: 1, output: .directory(out.path, naming: naming))
        )
        let journal = try BatchJournal(
            path: folder.path("journal"),
            lists: [list],
            results: folder.path("results"),
            output: out.path
        )
        let log = try ResultLog(journal: journal)
        let run = try batch.start(.file(list), journal: journal)
        var results: [BatchResult] = []
        for await result in run {
            results.append(result)
            if isLogged { log.append(result) }
        }
        try log.close()
        round.increment()
        return results.sorted { $0.ordinal < $1.ordinal }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try out.read(name), as: UTF8.self)
    }

    @Test(arguments: [FileNaming.Existing.error, .skip, .number])
    func resumedRunReplacesItsOwnBodiesOnly(existing: FileNaming.Existing) async throws {
        try out.write("foreign", to: "3.txt")
        for _ in 0..<3 { _ = try await fetch(existing, isLogged: false) }
        let results = try await fetch(existing, isLogged: true)
        for number in [1, 2, 4] {
            let result = results[number - 1]
            #expect(result.isFetched && !result.isExisting && result.path == "\(number).txt")
            #expect(try text("\(number).txt") == "/\(number) of round 3")
        }
        #expect(try text("3.txt") == "foreign")
        switch existing {
        case .error: #expect(results[2].failure?.code == .existingFile)
        case .skip: #expect(results[2].isExisting)
        default: #expect(results[2].path == "3-1.txt")
        }
        #expect(try out.contents().count == (existing == .number ? 5 : 4))
        // Bodies in the journal aren't changed.
        let later = try await fetch(existing, isLogged: true)
        #expect(later.isEmpty)
    }

    /// Two URLs with the same name: a body that the first URL left without a result doesn't belong
    /// to the second.
    @Test func bodyOfAnotherURLIsRecognised() throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write("body", to: "x")
        let file = folder.path("claims")
        let claims = try BodyOwners(path: file, isNew: true, done: OrdinalSet())
        try claims.claim(path, for: 1, url: "http://a/1")
        let later = try BodyOwners(path: file, isNew: false, done: OrdinalSet())
        #expect(later.belongsToAnotherURL(path, url: "http://a/2"))
        #expect(!later.belongsToAnotherURL(path, url: "http://a/1"))
        #expect(later.isOwn(path, ordinal: 1) && !later.isOwn(path, ordinal: 2))
        var done = OrdinalSet()
        done.insert(1)
        let known = try BodyOwners(path: file, isNew: false, done: done)
        #expect(!known.belongsToAnotherURL(path, url: "http://a/2"))
    }

    @Test func resumedRunReusesItsNumberedNames() async throws {
        for _ in 0..<2 { _ = try await fetch(.number, template: "x", isLogged: false) }
        let results = try await fetch(.number, template: "x", isLogged: true)
        #expect(Set(results.compactMap(\.path)) == ["x", "x-1", "x-2", "x-3"])
        #expect(try out.contents().count == 4)
        for result in results {
            let path = try #require(result.path)
            #expect(try text(path) == "/\(result.ordinal) of round 2")
        }
    }

    @Test func fileThatAppearedMeanwhileIsKept() async throws {
        _ = try await fetch(.error, isLogged: false)
        try FileManager.default.removeItem(atPath: out.path("2.txt"))
        try out.write("foreign", to: "2.txt")
        let results = try await fetch(.error, isLogged: true)
        #expect(results.map(\.isFetched) == [true, false, true, true])
        #expect(try text("2.txt") == "foreign")
    }

    @Test func settledClaimsAreCompacted() throws {
        let path = folder.path("claims")
        let file = try folder.write("x", to: "body")
        let claims = try BodyOwners(path: path, isNew: true, done: OrdinalSet())
        for number in 0..<40_000 {
            try claims.claim(file, for: number, url: "http://a/")
            if number >= 10, number % 100 == 0 {
                try claims.settle(Array(number - 100..<number - 10))
                try claims.settle(Array(number - 200..<number - 100).filter { $0 >= 0 })
            }
        }
        #expect(try folder.read("claims").count < 2 << 20)
        let later = try BodyOwners(path: path, isNew: false, done: OrdinalSet())
        #expect(later.isOwn(file, ordinal: 39_999) && !later.isOwn(file, ordinal: 5))
        let restarted = try BodyOwners(path: path, isNew: true, done: OrdinalSet())
        #expect(!restarted.isOwn(file, ordinal: 39_999))
        #expect(try folder.read("claims").isEmpty)
    }
}
