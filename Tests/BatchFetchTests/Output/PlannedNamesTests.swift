import Posix
import Testing

@testable import BatchFetch

/// The names that a dry run shows, with their collisions.
@Suite struct PlannedNamesTests {
    private func job(_ ordinal: Int, _ url: String, name: String? = nil) throws -> FetchJob {
        var request = BatchRequest(url: url)
        request.name = name
        request.tag = "t\(ordinal)"
        return FetchJob(
            target: try FetchTarget(request),
            line: ordinal,
            ordinal: ordinal,
            waitingSince: .now
        )
    }

    private func output(
        _ template: String? = nil,
        _ existing: FileNaming.Existing = .overwrite
    ) throws -> BatchOutput {
        let template = try template.map { try NameTemplate($0) }
        return .directory("/none", naming: FileNaming(template: template, existing: existing))
    }

    private func results(_ urls: [String], _ output: BatchOutput) throws -> [BatchResult] {
        let plan = PlannedNames(NameRegistry())
        return try urls.enumerated().map { plan.result(for: try job($0 + 1, $1), output) }
    }

    @Test func resultDescribesItsURL() throws {
        let result = try #require(try results(["https://h/a"], output()).first)
        #expect(result.url == "https://h/a" && result.path == "h/a" && result.tag == "t1")
        #expect(result.ordinal == 1 && result.line == 1 && result.isFetched)
    }

    /// One is a file where the other needs a folder, in either order.
    @Test(arguments: [["https://h/a", "https://h/a/b"], ["https://h/a/b", "https://h/a"]])
    func fileAndFolderOfOneNameAreBothPlanned(urls: [String]) throws {
        let results = try results(urls, output())
        let second = SafeName(try FetchTarget(urls[1]))
        #expect(results.map(\.path) == [String(urls[0].dropFirst(8)), second.fallback])
        #expect(results.allSatisfy { $0.failure == nil })
    }

    @Test(arguments: [FileNaming.Existing.overwrite, .skip, .error])
    func sameNameOfTwoURLsIsACollision(existing: FileNaming.Existing) throws {
        let results = try results(["https://h/a/x", "https://h/b/x"], output("{file}", existing))
        #expect(results[0].failure == nil)
        #expect(results[1].failure == .nameCollision("x"))
    }

    @Test func numberedNamesDoNotCollide() throws {
        let results = try results(["https://h/a/x", "https://h/b/x"], output("{file}", .number))
        #expect(results.allSatisfy { $0.failure == nil && $0.path == "x" })
    }

    @Test(arguments: [FileNaming.Existing.overwrite, .skip, .error])
    func repeatedURLFailsOnlyIfFilesMustNotExist(existing: FileNaming.Existing) throws {
        let results = try results(["https://h/a", "https://h/a"], output(nil, existing))
        #expect(results[0].failure == nil)
        #expect(results[1].failure == (existing == .error ? .existingFile("h/a") : nil))
        #expect(results[1].path == "h/a")
    }

    @Test func namesThatDifferInCaseAreCountedOnce() throws {
        let plan = PlannedNames(NameRegistry())
        let output = try output()
        #expect(plan.caseCollisions == 0)
        for (number, path) in ["a", "A", "a", "A", "b", "É", "é"].enumerated() {
            let job = try job(number, "https://h/\(number)", name: path)
            _ = plan.result(for: job, output)
        }
        #expect(plan.caseCollisions == 2)
    }

    @Test func nameThatNeedsTheResponseIsNotPlanned() throws {
        let urls = ["https://h/a", "https://h/b"]
        let results = try results(urls, output("x.{ext}"))
        #expect(results.allSatisfy { $0.path == nil && $0.failure == nil })
        #expect(try self.results(urls, .discard).allSatisfy { $0.path == nil })
    }
}
