import Posix
import Synchronization

/// A file with one line of JSON per result.
///
/// The log's own thread writes it. Lines for a regular file are collected for one second, or until
/// there are 256 KiB. Others, as of a pipe, have a reader that waits: they are written at once, or
/// together with those of the next 10 milliseconds. ``close()`` writes the rest and ends the
/// thread, so a log must be closed.
public final class ResultLog: Sendable {
    private static let flushThreshold = 256 * 1024
    private static let tooMuch = 8 * 1024 * 1024
    /// The minimum time between two writes to a pipe or terminal.
    private static let pause = Duration.milliseconds(10)

    private struct State {
        var lines: [UInt8] = []
        /// The ordinals of the lines, if there is a journal. Those of an endless list have keys
        /// instead.
        var ordinals: [Int] = []
        var keys: [UInt64] = []
        var failed = 0
        var isReopening = false
        /// The time of the last write to a pipe or terminal.
        var written: MonotonicTime?
        var failure: BatchFailure?
    }

    private let state = Mutex(State())
    /// Held while writing, so lines stay in order whichever thread writes.
    private let file: Mutex<FileDescriptor?>
    private let worker: Worker
    private let path: String
    /// The journal that records the lines once they are written.
    private let journal: BatchJournal?
    /// The output folder. Its bodies must be on disk before their lines are written.
    private let bodies: FileDescriptor?
    /// How long to collect lines.
    private let interval: Duration
    /// Whether lines are written as soon as possible, because the file is a pipe or terminal.
    private let isPrompt: Bool
    /// What other programs may have done to the files.
    private let loss: LogLoss
    /// The length of a journal's results, in bytes.
    private let written: Atomic<Int64>

    /// Creates or empties the file; `-` is standard output.
    ///
    /// - Parameter replacing: Whether an existing file that isn't empty is replaced; true by
    ///   default.
    /// - Throws: ``BatchFailure`` with the code `output` if the file can't be created or is in use,
    ///   and `configuration` if it must not be replaced.
    public init(path: String, replacing: Bool = true) throws(BatchFailure) {
        self.path = path
        journal = nil
        bodies = nil
        interval = .seconds(1)
        written = Atomic(0)
        let output: FileDescriptor =
            path == "-" ? .standardOutput : try Self.openEmpty(path, replacing: replacing)
        isPrompt = (try? output.kind()) == .other
        let isNamed = path != "-" && !isPrompt && (try? output.isDeleted()) == false
        loss = LogLoss(path: path, journal: nil, isNamed: isNamed)
        file = Mutex(output)
        worker = try Self.makeWorker()
        try start()
    }

    /// Continues the results of a journal, and cuts off a torn end.
    ///
    /// Each line is written after its body is on disk, and the journal records the line after the
    /// line is on disk. Leaves out results with the code `cancelled`, and those of a run that can't
    /// write bodies any more, because their URLs are not completed.
    ///
    /// - Parameter interval: How long to collect lines; 500 ms by default. A kill of the process
    ///   loses the lines of the last interval, and their URLs are fetched again.
    /// - Throws: ``BatchFailure`` with the code `output` if the results can't be written.
    public init(
        journal: BatchJournal,
        interval: Duration = .milliseconds(500)
    ) throws(BatchFailure) {
        path = journal.resultsPath
        self.journal = journal
        self.interval = interval
        written = Atomic(journal.resultsLength)
        do throws(FileError) {
            if let folder = journal.outputPath {
                try FileSystem.makeDirectory(folder)
                bodies = try .openDirectory(folder)
            } else {
                bodies = nil
            }
            if path == "-" {
                try journal.begin()
                isPrompt = true
                loss = LogLoss(path: path, journal: journal, isNamed: false)
                file = Mutex(.standardOutput)
            } else {
                let results = try FileDescriptor.openForUpdating(path)
                guard Self.lock(results) else { throw FileError.inUse(path) }
                try results.truncate(to: journal.resultsLength)
                try results.seek(to: journal.resultsLength)
                try results.synchronize()
                try journal.begin()
                isPrompt = false
                let isNamed = try !results.isDeleted()
                loss = LogLoss(path: path, journal: journal, isNamed: isNamed)
                file = Mutex(results)
            }
        } catch {
            throw Self.unwritable(error)
        }
        worker = try Self.makeWorker()
        try start()
    }

    private static func openEmpty(
        _ path: String,
        replacing: Bool
    ) throws(BatchFailure) -> FileDescriptor {
        do throws(FileError) {
            let file = try FileDescriptor.openForWriting(path, creation: .appending)
            guard try file.kind() == .regular else { return file }
            guard lock(file) else { throw FileError.inUse(path) }
            let isEmpty = try file.size() == 0
            if replacing || isEmpty {
                try file.truncate(to: 0)
                return file
            }
            unlock(file)
        } catch {
            throw unwritable(error)
        }
        throw BatchFailure(
            .configuration,
            "the results “\(path)” exist: name another file, replace them with "
                + "--overwrite-results, or resume runs with --journal"
        )
    }

    /// Locks the file, so that other runs don't empty it.
    ///
    /// Returns true if the file system doesn't support locks.
    private static func lock(_ file: borrowing FileDescriptor) -> Bool {
        (try? file.tryLock()) ?? true
    }

    /// Releases the lock, because closing isn't enough. A child process that is being started also
    /// holds it.
    private static func unlock(_ file: borrowing FileDescriptor) {
        if (try? file.kind()) == .regular { file.unlock() }
    }

    private static func unwritable(_ error: FileError) -> BatchFailure {
        guard error.isInUse else {
            return BatchFailure(.output, "\(error): name a file that can be created")
        }
        return BatchFailure(
            .output,
            "the results “\(error.path)” are being written by another run: name another file, or wait "
                + "until it ends"
        )
    }

    private static func makeWorker() throws(BatchFailure) -> Worker {
        do throws(SystemFailure) {
            return try Worker(name: "batch-results")
        } catch {
            throw BatchFailure(.resources, "the result log can't start: \(error)")
        }
    }

    private func start() throws(BatchFailure) {
        do throws(SystemFailure) {
            try worker.startRepeating { [self] in
                if isPrompt { return writePromptly() }
                writePending()
                return MonotonicTime.now.advanced(by: interval)
            }
        } catch {
            throw BatchFailure(.resources, "the result log can't start: \(error)")
        }
    }

    /// Appends a line. May be called on any thread.
    ///
    /// Blocks only if more than 8 MiB are unwritten because the disk is slow.
    public func append(_ result: BatchResult) {
        if journal != nil, result.failure?.leavesUnresolved == true { return }
        if let body = result.place.stored { return appendLong(result, body) }
        var line: [UInt8] = []
        line.reserveCapacity(512)
        result.appendJSONLine(to: &line)
        let (isDue, isTooMuch) = state.withLock { state in
            let before = state.lines.count
            state.lines += line
            if let journal {
                if journal.answered == nil {
                    state.ordinals.append(result.ordinal)
                } else if let key = result.requestKey {
                    state.keys.append(key)
                }
                if !result.isFetched { state.failed += 1 }
            }
            let reachesThreshold =
                before < Self.flushThreshold && state.lines.count >= Self.flushThreshold
            let isFirst = isPrompt && before == 0
            return (reachesThreshold || isFirst, state.lines.count > Self.tooMuch)
        }
        if isTooMuch { write() } else if isDue { worker.wake() }
    }

    /// Writes a line with a body that is on disk. Blocks until the file or pipe has taken it.
    private func appendLong(_ result: BatchResult, _ body: StoredBody) {
        // The lines before it.
        write()
        guard failure == nil else { return }
        var line: [UInt8] = []
        result.appendJSONLine(to: &line)
        // The body goes before the end of the object.
        line.removeLast(2)
        line += Array(",\"body_base64\":\"".utf8)
        var encoder = Base64Pieces()
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                try file?.write(line)
                while let bytes = try body.next() { try file?.write(encoder.encode(bytes)) }
                try file?.write(encoder.end() + Array("\"}\n".utf8))
            }
        } catch {
            fail(error)
        }
    }

    /// Writes the collected lines, for a process that is about to exit.
    ///
    /// Writes only to a regular file, and only if no other thread is writing. With a journal it
    /// writes nothing, because the URLs that the journal doesn't record are fetched again.
    package func flush() {
        guard journal == nil else { return }
        _ = file.withLockIfAvailable { file in
            // The reader of a pipe may have stopped reading, so writing could block.
            guard let lines = state.withLock({ $0.failure == nil ? $0.lines : nil }), file != nil,
                (try? file?.kind()) == .regular
            else { return }
            try? file?.write(lines)
            state.withLock { $0.lines = [] }
        }
    }

    /// The error that prevented writing lines, if any.
    public var failure: BatchFailure? { state.withLock { $0.failure } }

    /// Writes the remaining lines, and closes the file. Blocks.
    ///
    /// - Throws: ``BatchFailure`` with the code `output` if any line could not be written.
    public func close() throws(BatchFailure) {
        worker.end()
        do throws(FileError) {
            if let file = file.withLock({ $0.take() }) {
                Self.unlock(file)
                try file.close()
            }
        } catch {
            fail(error)
        }
        if let failure { throw failure }
    }

    /// Continues in a new file of the same name, for log rotation. Call it after the old file was
    /// renamed.
    ///
    /// Does nothing with a journal, whose results are a single file, or on standard output.
    public func reopen() {
        guard journal == nil, path != "-" else { return }
        state.withLock { $0.isReopening = true }
        worker.wake()
    }

    /// Writes lines to a pipe or terminal, or returns when to do so. Runs on the log's thread.
    private func writePromptly() -> MonotonicTime? {
        let now = MonotonicTime.now
        let earliest = state.withLock { state -> MonotonicTime? in
            guard !state.isReopening, state.lines.count < Self.flushThreshold,
                let earliest = state.written?.advanced(by: Self.pause), earliest > now
            else {
                state.written = now
                return nil
            }
            return earliest
        }
        if let earliest, !worker.isEnding { return earliest }
        writePending()
        return nil
    }

    /// Runs on the log's thread.
    private func writePending() {
        let isReopening = state.withLock { state in
            defer { state.isReopening = false }
            return state.isReopening
        }
        write(isRenamed: isReopening)
        if isReopening { exchangeFile() }
    }

    private func exchangeFile() {
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                let new = try FileDescriptor.openForWriting(path, creation: .appending)
                if try new.kind() == .regular { _ = Self.lock(new) }
                let old = file.take()
                file = consume new
                try old?.close()
            }
        } catch {
            fail(error)
        }
    }

    /// Ends the log if lines are lost. A run that continued would seem complete.
    private func checkLoss(of file: borrowing FileDescriptor) {
        let length = written.load(ordering: .relaxed)
        guard let failure = loss.failure(of: file, length: length) else { return }
        state.withLock { $0.failure = $0.failure ?? failure }
    }

    /// - Parameter isRenamed: Whether the file may have been renamed or deleted on purpose.
    private func write(isRenamed: Bool = false) {
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                if !isRenamed {
                    switch file {
                    case .some(let file): checkLoss(of: file)
                    case .none: break
                    }
                }
                let (lines, entry) = state.withLock { state in
                    defer {
                        state.lines = []
                        state.ordinals = []
                        state.keys = []
                        state.failed = 0
                    }
                    // After a failure nothing more is written, because the last line may be torn.
                    guard state.failure == nil else { return ([UInt8](), JournalEntry.empty) }
                    let entry = JournalEntry(
                        ordinals: state.ordinals,
                        failed: state.failed,
                        resultsLength: 0,
                        keys: state.keys
                    )
                    return (state.lines, entry)
                }
                guard !lines.isEmpty else { return }
                try bodies?.synchronizeFileSystem()
                try file?.write(lines)
                guard let journal else { return }
                var recorded = entry
                if path != "-" {
                    try file?.synchronize()
                    let count = Int64(lines.count)
                    recorded.resultsLength = written.add(count, ordering: .relaxed).newValue
                }
                try journal.append(recorded)
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: FileError) {
        state.withLock { state in
            guard state.failure == nil else { return }
            let remedy =
                error.isPersistent ? ": free space or fix the cause, and repeat the command" : ""
            let message = "results can't be written: \(error)\(remedy)"
            var failure = BatchFailure(.output, message)
            failure.systemErrno = error.errno
            state.failure = failure
        }
    }
}
