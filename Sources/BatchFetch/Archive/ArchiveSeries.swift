import Posix

/// The consecutive files of an archive, for one thread at a time.
///
/// Creates the next file when there is something to write, and closes it when it is full.
struct ArchiveSeries: ~Copyable, Sendable {
    private let recovery: ArchiveRecovery
    private let limit: ArchiveLimit
    private var file: ArchiveFile?
    private var number = 0
    private var isRecovered = false
    /// The first write error. Nothing is written after it, because the end of the file is damaged.
    private var failure: BatchFailure?

    /// - Parameter recovery: Closes the files of an earlier run; knows their names and their
    ///   trailer.
    init(_ recovery: ArchiveRecovery, limit: ArchiveLimit) {
        self.recovery = recovery
        self.limit = limit
    }

    /// Calls `write` with the current file, or with a new one.
    ///
    /// Then counts one more body, and closes the file if it is full.
    ///
    /// - Throws: The error of creating or writing the file. After it the series takes no more
    ///   bodies.
    mutating func add<Result>(
        _ write: (inout ArchiveFile) throws(FileError) -> Result
    ) throws(BatchFailure) -> Result {
        if let failure { throw failure }
        do throws(FileError) {
            if file == nil { file = try nextFile() }
            if let result = try file?.add(write) {
                if isFileFull { try closeFile() }
                return result
            }
        } catch {
            throw fail(error)
        }
        throw BatchFailure(.output, "the archive in \(recovery.folder) has no file to write to")
    }

    private mutating func nextFile() throws(FileError) -> ArchiveFile {
        try recover()
        defer { number += 1 }
        return try ArchiveFile(
            folder: recovery.folder,
            name: recovery.name,
            ending: recovery.ending,
            number: &number
        )
    }

    private var isFileFull: Bool {
        switch file {
        case .some(let file): limit.isReached(bytes: file.length, entries: file.entries)
        case .none: false
        }
    }

    /// Records the error that prevents all further writing.
    private mutating func fail(_ error: FileError) -> BatchFailure {
        var reason = BatchFailure(.output, error)
        reason.endsRun = true
        failure = failure ?? reason
        // This releases the lock; the next run recovers the file.
        file = nil
        return reason
    }

    /// Closes the current file. Nothing may be added afterwards.
    mutating func close() throws(BatchFailure) {
        guard failure == nil else { return }
        do throws(FileError) {
            try recover()
            try closeFile()
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    private mutating func closeFile() throws(FileError) {
        guard var file = file.take() else { return }
        try file.write(recovery.trailer)
        try file.close()
    }

    /// Closes the files of an earlier run, once.
    private mutating func recover() throws(FileError) {
        guard !isRecovered else { return }
        isRecovered = true
        try recovery.run()
    }
}
