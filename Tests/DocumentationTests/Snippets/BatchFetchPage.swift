internal import BatchFetch

/// What the landing page of `BatchFetch` shows.
struct BatchFetchPage: Sendable {
    let print: Print

    func use(_ list: String, _ folder: String) async throws {
        // snippet: BatchFetch/run
        let batch = Batch(BatchConfiguration(concurrency: 500, output: .directory(folder)))
        let run = try batch.start(.file(list))
        for await result in run where !result.isFetched {
            print("line \(result.line): \(result.failure?.message ?? "")")
        }
        print("\(run.summary.progress.fetched) saved below \(folder)")
        // end
    }
}
