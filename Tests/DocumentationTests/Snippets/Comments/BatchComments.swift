internal import BatchFetch
internal import BatchReport

/// What the documentation comments of `BatchFetch` and `BatchReport` show.
///
/// Compiled only: they name files in the working folder.
enum BatchComments {
    static func run() async throws {
        // snippet: Batch.swift/run
        let batch = Batch(BatchConfiguration(concurrency: 500, output: .directory("pages")))
        let run = try batch.start(.file("urls.txt"))
        for await result in run where !result.isFetched {
            print(result.url, result.failure?.message ?? "")
        }
        print(run.summary.topFailures)
        // end
    }

    static func journal() async throws {
        // snippet: BatchJournal.swift/journal
        let journal = try BatchJournal(
            path: "journal",
            lists: ["urls.txt"],
            results: "results.jsonl"
        )
        let log = try ResultLog(journal: journal)
        let run = try Batch().start(.file("urls.txt"), journal: journal)
        for await result in run { log.append(result) }
        try log.close()
        // end
    }

    static func report() throws {
        // snippet: RunReport.swift/report
        var report = RunReport()
        try report.read(resultsOf: "results.jsonl")
        try report.write(to: "report.html", title: "results.jsonl")
        // end
    }
}
