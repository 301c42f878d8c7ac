// snippet: README/batch
import BatchFetch

// hide
/// The example of batches in the README.
struct ReadmeBatch: Sendable {
    let print: Print

    func use(_ list: String, _ folder: String) async throws {
        // show
        let batch = Batch(BatchConfiguration(concurrency: 500, output: .directory(folder)))
        let run = try batch.start(.file(list))
        for await result in run where !result.isFetched {
            print("\(result.url): \(result.failure?.message ?? "")")
        }
        print("\(run.summary.progress.fetched) fetched, \(run.summary.progress.failed) failed")
        // end
    }
}
