import Posix

/// The consecutive files of an archive, for one thread at a time.
///
/// Creates the next file when there is something to write, and closes it when it is full.
struct ArchiveSeries: ~Copyable, Sendable {
    private let place: any ArchivePlace
    private let limit: ArchiveLimit
    private var file: ArchiveFile?
    /// When the file got its first body.
    private var begun = MonotonicTime.now
    private var number = 0
    private var isRecovered = false
    /// The first write error. Nothing is written after it, because the end of the file is damaged.
    private var failure: BatchFailure?

    init(_ place: any ArchivePlace, limit: ArchiveLimit) {
        self.place = place
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
        do throws(BatchFailure) {
            if file == nil {
                file = try nextFile()
                begun = .now
            }
            if let result = try addToFile(write) {
                if isFileFull { try closeFile() }
                return result
            }
        } catch {
            throw fail(error)
        }
        throw BatchFailure(.output, "the archive “\(place.name)” has no file to write to")
    }

    private mutating func addToFile<Result>(
        _ write: (inout ArchiveFile) throws(FileError) -> Result
    ) throws(BatchFailure) -> Result? {
        do throws(FileError) {
            return try file?.add(write)
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    private mutating func nextFile() throws(BatchFailure) -> ArchiveFile {
        try recover()
        defer { number += 1 }
        return ArchiveFile(try place.makeFile(number: &number))
    }

    private var isFileFull: Bool {
        switch file {
        case .some(let file):
            limit.isReached(bytes: file.length, entries: file.entries)
                || place.maximumEntries.map { file.entries >= $0 } ?? false
        case .none: false
        }
    }

    /// Records the error that prevents all further writing.
    private mutating func fail(_ error: BatchFailure) -> BatchFailure {
        var reason = error
        reason.endsRun = true
        failure = failure ?? reason
        // This releases the lock; the next run recovers the file.
        file = nil
        return reason
    }

    /// Closes the current file if it is old enough, or if `isIdle`: no other body comes soon.
    ///
    /// Only where files have a maximum age.
    mutating func closeDue(isIdle: Bool, at now: MonotonicTime) throws(BatchFailure) {
        guard failure == nil, let age = place.maximumAge,
            (isIdle && place.endsWhenIdle) || begun.advanced(by: age) <= now
        else { return }
        do throws(BatchFailure) {
            try closeFile()
        } catch {
            throw fail(error)
        }
    }

    /// Closes the current file. Nothing may be added afterwards.
    mutating func close() throws(BatchFailure) {
        guard failure == nil else { return }
        try recover()
        try closeFile()
    }

    private mutating func closeFile() throws(BatchFailure) {
        guard var file = file.take() else { return }
        do throws(FileError) {
            try file.write(place.trailer)
            try file.close()
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    /// Ends what an earlier run has left, once.
    private mutating func recover() throws(BatchFailure) {
        guard !isRecovered else { return }
        isRecovered = true
        try place.recover()
    }
}
