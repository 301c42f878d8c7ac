import Curl

/// The files of an archive, one after the other: the next is begun when there is something to write,
/// and closed when it is full. For one thread at a time.
struct ArchiveSeries: ~Copyable, Sendable {
    private let recovery: ArchiveRecovery
    private let limit: ArchiveLimit
    private var file: ArchiveFile?
    private var number = 0
    private var isRecovered = false
    /// After it nothing is written any more: the end of the file is not as it should be.
    private var failure: BatchFailure?

    /// - Parameter recovery: What closes the files that an earlier run left; it knows what they are
    ///   called, and what stands at their ends.
    init(_ recovery: ArchiveRecovery, limit: ArchiveLimit) {
        self.recovery = recovery
        self.limit = limit
    }

    /// The file to write to, which the series has no longer: an empty one if there is none.
    mutating func take() throws(BatchFailure) -> ArchiveFile {
        if let failure { throw failure }
        if let file = file.take() { return file }
        do throws(FileError) {
            try recover()
            defer { number += 1 }
            return try ArchiveFile(
                folder: recovery.folder,
                name: recovery.name,
                ending: recovery.ending,
                number: &number
            )
        } catch {
            throw fail(error)
        }
    }

    /// Takes the file back, which has one body more.
    mutating func put(_ file: consuming ArchiveFile) throws(FileError) {
        file.entries += 1
        if limit.isReached(bytes: file.length, entries: file.entries) {
            try finish(file)
        } else {
            self.file = consume file
        }
    }

    /// Nothing can be written any more, for this reason.
    mutating func fail(_ error: FileError) -> BatchFailure {
        var reason = BatchFailure(.output, error)
        reason.endsRun = true
        failure = failure ?? reason
        return reason
    }

    /// Closes the file that is being written. Nothing is added afterwards.
    mutating func close() throws(BatchFailure) {
        guard failure == nil else { return }
        do throws(FileError) {
            try recover()
            guard let file = file.take() else { return }
            try finish(file)
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    private func finish(_ file: consuming ArchiveFile) throws(FileError) {
        try file.write(recovery.trailer)
        try file.close()
    }

    /// Closes what an earlier run left, once.
    private mutating func recover() throws(FileError) {
        guard !isRecovered else { return }
        isRecovered = true
        try recovery.run()
    }
}
