internal import Dispatch

extension HTTPCookieStorage {
    /// Writes to the file what has changed, and takes over what others have written to it. Returns when
    /// that is done, and blocks the thread until then; does nothing for a storage in memory.
    ///
    /// - Throws: Why the file can't be written; or that it was damaged and has another name now, while
    ///   the cookies of this storage are in a new one.
    public func flush() throws(HTTPCookieStorageError) {
        try contents.flush()
    }

    /// Writes to the file what has changed, and takes over what others have written to it; does nothing
    /// for a storage in memory. The waiting is done on a queue of the storage's.
    ///
    /// - Throws: Why the file can't be written; or that it was damaged and has another name now, while
    ///   the cookies of this storage are in a new one.
    public func flush() async throws(HTTPCookieStorageError) {
        let contents = contents
        let result: Result<Void, HTTPCookieStorageError> = await withCheckedContinuation {
            continuation in
            contents.queue.async {
                let result = Result { () throws(HTTPCookieStorageError) in try contents.flush() }
                continuation.resume(returning: result)
            }
        }
        try result.get()
    }
}
