import TestSupport
import Testing

@testable import BatchFetch

/// A run skips completed URLs without parsing them; the results are the same.
@Suite(.timeLimit(.minutes(10))) struct SkippingTests {
    private static let urls = [
        "http://a.example/1", "nonsense", "http://a.example/2", "HTTP://A.example:80/1",
        "http://a.example/1", "http://b.example/x%2Fy", "nonsense", "http://b.example/./2",
        "http://a.example/2", "http://b.example/2", "http://b.example/x%2fy", "http://c.example",
        "http://c.example/", "http://a.example/3",
    ]

    /// A list of the URLs in a format, with lines between them that aren't URLs.
    private static func list(_ format: InputFormat) -> String {
        switch format {
        case .csv: "tag,url\n" + urls.map { "t,\($0)\n" }.joined()
        case .jsonLines: urls.map { "# no\n\n{\"url\": \"\($0)\", \"tag\": \"t\"}\n" }.joined()
        default: urls.map { "# no\n\n \($0)\r\n" }.joined()
        }
    }

    private func results(
        _ format: InputFormat,
        _ deduplication: Deduplication,
        shard: InputShard?,
        endingAfter limits: [Int]
    ) async throws -> (results: [BatchResult], duplicates: Int) {
        let folder = try TemporaryDirectory()
        let list = try folder.write(Self.list(format), to: "list")
        var input = BatchInput.file(list)
        input.options.format = format
        input.options.deduplication = deduplication
        input.options.shard = shard
        var results: [BatchResult] = []
        var duplicates = 0
        for limit in limits + [.max] {
            let journal = try BatchJournal(
                path: folder.path("journal"),
                lists: [list],
                options: input.options,
                results: folder.path("results")
            )
            let log = try ResultLog(journal: journal)
            let run = try Batch(BatchConfiguration(concurrency: 1)).start(
                input,
                journal: journal,
                fetcher: ScriptedFetcher { _, _ in .success }
            )
            var taken = 0
            // Results after the limit are dropped, as if the run had ended there.
            for await result in run where taken < limit {
                taken += 1
                results.append(result)
                log.append(result)
            }
            try log.close()
            #expect(run.progress.skipped <= journal.doneCount)
            duplicates = run.progress.duplicates
        }
        return (results.sorted { $0.ordinal < $1.ordinal }, duplicates)
    }

    @Test(arguments: [InputFormat.lines, .jsonLines, .csv], Deduplication.allCases)
    func interruptedRunHasTheResultsOfAnUninterruptedOne(
        format: InputFormat,
        deduplication: Deduplication
    ) async throws {
        for shard in [nil, InputShard(index: 0, count: 2)] {
            let whole = try await results(format, deduplication, shard: shard, endingAfter: [])
            let ordinals = whole.results.map(\.ordinal)
            #expect(Set(ordinals).count == ordinals.count)
            for limits in [[1], [2, 1, 1], [5], [7, 3]] {
                let parts = try await results(
                    format,
                    deduplication,
                    shard: shard,
                    endingAfter: limits
                )
                #expect(parts.results.map(\.ordinal) == ordinals, "\(limits)")
                #expect(parts.results.map(\.url) == whole.results.map(\.url))
                #expect(parts.results.map(\.line) == whole.results.map(\.line))
                #expect(parts.results.map(\.isFetched) == whole.results.map(\.isFetched))
                #expect(parts.duplicates == whole.duplicates)
            }
        }
    }
}
