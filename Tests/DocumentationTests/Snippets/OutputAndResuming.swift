internal import BatchFetch

/// What the page "Output and resuming" shows.
struct OutputAndResuming: Sendable {
    let print: Print

    func journal(_ list: String, _ folder: String, _ path: String, _ results: String) async throws {
        // snippet: OutputAndResuming/journal
        let journal = try BatchJournal(path: path, lists: [list], results: results, output: folder)
        let log = try ResultLog(journal: journal)
        let batch = Batch(BatchConfiguration(output: .directory(folder)))
        let run = try batch.start(.file(list), journal: journal)
        for await result in run { log.append(result) }
        try log.close()
        // end
        print("\(journal.doneCount) before, \(run.summary.progress.fetched) now")
    }

    static func naming(_ folder: String) throws -> BatchOutput {
        // snippet: OutputAndResuming/naming
        let template = try NameTemplate("{host}/{sha256[0:2]}/{ordinal:8}.{ext}")
        let output = BatchOutput.directory(folder, naming: FileNaming(template: template))
        // end
        return output
    }

    func again(_ list: String, _ folder: String, _ results: String) async throws {
        // snippet: OutputAndResuming/again
        let failed = try EarlierResults(paths: [results])
        let missing = try Batch().start(.file(list), skipping: failed)

        var configuration = BatchConfiguration(output: .directory(folder))
        configuration.since = try EarlierResponses(path: results)
        let changed = try Batch(configuration).start(.file(list))
        // end
        for await result in missing { print("missing \(result.isFetched)") }
        for await result in changed { print("unchanged \(result.isUnchanged)") }
    }
}
