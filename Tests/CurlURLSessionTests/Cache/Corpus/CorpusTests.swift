import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

/// Runs the public HTTP cache tests against the cache.
struct CorpusTests {
    private static let cases = Corpus.groups.flatMap(\.cases)

    /// Each case passes, or differs for a documented reason.
    @Test("C19: Public HTTP cache tests pass or have a documented difference", arguments: cases)
    func cachePassesThePublicCacheTests(test: CorpusCase) throws {
        let clock = ManualClock()
        let cache = clock.drive(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0))
        try expect(test, CorpusRunner(cache: cache, clock: clock))
    }

    /// Runs all cases in a row with one file and no memory cache.
    @Test func diskCachePassesThePublicCacheTests() throws {
        let directory = try TemporaryDirectory()
        let clock = ManualClock()
        let cache = clock.drive(
            URLCache(
                memoryCapacity: 0,
                diskCapacity: 16 << 20,
                directory: URL(fileURLWithPath: directory.path)
            )
        )
        for test in Self.cases { try expect(test, CorpusRunner(cache: cache, clock: clock)) }
        #expect(cache.currentDiskUsage > 0)
    }

    private func expect(_ test: CorpusCase, _ runner: CorpusRunner) throws {
        let faults = try runner.run(test)
        if let difference = test.difference {
            #expect(!faults.isEmpty, "\(test.id) isn't different: \(difference)")
            #expect(test.kind != .required || test.id.hasPrefix("partial-"), "\(test.id)")
        } else {
            #expect(faults.isEmpty, "\(test.id)")
        }
    }

    @Test func everyCaseIsUnique() {
        #expect(Set(Self.cases.map(\.id)).count == Self.cases.count)
        #expect(Self.cases.count > 280)
    }

    /// Rewrites `Results.md` next to this file if `WRITE_CORPUS_RESULTS` is set.
    @Test func resultsTableIsCurrent() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Results.md")
        let table = try Self.table()
        if ProcessInfo.processInfo.environment["WRITE_CORPUS_RESULTS"] != nil {
            try table.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == table)
    }

    private static func table() throws -> String {
        let passed = cases.filter { $0.difference == nil }.count
        var lines = [
            "# The public tests for HTTP caches", "",
            "The cases of <https://cache-tests.fyi> that concern a private cache, by its names, and whether",
            "`URLCache` with the rules of `CacheTransaction` does what they expect. Checks are questions, to",
            "which either answer is allowed. `WRITE_CORPUS_RESULTS=1 swift test --filter CorpusTests` writes",
            "this page.", "",
            "Of \(cases.count) cases \(passed) are as expected.", "",
        ]
        for group in Corpus.groups {
            let count = group.cases.filter { $0.difference == nil }.count
            lines += ["## \(group.name): \(count) of \(group.cases.count)", ""]
            lines += ["| case | kind | as expected |", "| --- | --- | --- |"]
            lines += group.cases.map { test in
                "| \(test.id) | \(test.kind.rawValue) | "
                    + (test.difference.map { "no: \($0)" } ?? "yes") + " |"
            }
            lines.append("")
        }
        lines += ["## Left out", "", "| cases | why |", "| --- | --- |"]
        lines += Corpus.leftOut.map { "| \($0.name) | \($0.reason) |" }
        return lines.joined(separator: "\n") + "\n"
    }
}
