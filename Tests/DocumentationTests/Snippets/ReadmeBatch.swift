// snippet: README/batch
// Package.swift: .product(name: "BatchFetch", package: "CurlNetworking")
import BatchFetch

// hide
/// What the read-me shows of batches.
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
