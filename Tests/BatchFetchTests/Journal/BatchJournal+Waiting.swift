import BatchFetch

extension BatchJournal {
    /// Opens a journal that was let go of just now. A program that another test is starting has its
    /// lock, too, from the fork to the exec.
    static func opening(
        path: String,
        lists: [String],
        options: BatchInput.Options = BatchInput.Options(),
        results: String
    ) async throws -> BatchJournal {
        while true {
            do throws(BatchFailure) {
                return try BatchJournal(
                    path: path,
                    lists: lists,
                    options: options,
                    results: results
                )
            } catch {
                guard error.message.contains("is used by another run") else { throw error }
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }
}
