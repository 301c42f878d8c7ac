import Curl
import Synchronization

/// A file with one line of JSON for each result, written on a thread of its own.
///
/// Lines are gathered for a second, or until there is enough for a write. ``close()`` writes what
/// is left, and ends the thread: a log has to be closed.
public final class ResultLog: Sendable {
    private static let enough = 256 * 1024
    private static let tooMuch = 8 * 1024 * 1024

    private struct State {
        var lines: [UInt8] = []
        /// Of the lines, where a journal wants to know.
        var ordinals: [Int] = []
        var failed = 0
        var isReopening = false
        var isClosing = false
        var failure: BatchFailure?
    }

    private let state = Mutex(State())
    /// Held while writing, so that lines keep their order whoever writes them.
    private let file: Mutex<FileDescriptor?>
    private let bell: Wakeup
    private let thread = Mutex<LoopThread?>(nil)
    private let path: String
    /// What is told of the lines once they are written.
    private let journal: BatchJournal?
    /// Where the bodies are, which have to be on the disk before their lines are.
    private let bodies: FileDescriptor?
    /// How long lines are gathered.
    private let interval: Duration
    /// The bytes of a journal's results.
    private let written: Atomic<Int64>

    /// Makes the file, or empties it; `-` is the standard output.
    ///
    /// - Throws: ``BatchFailure`` with the code `output` if it can't be made.
    public init(path: String) throws(BatchFailure) {
        self.path = path
        journal = nil
        bodies = nil
        interval = .seconds(1)
        written = Atomic(0)
        file = Mutex(path == "-" ? .standardOutput : try Self.openEmpty(path))
        bell = try Self.makeBell()
        try start()
    }

    /// Goes on with a journal's results: what is torn at their end is cut off. From now on, lines
    /// are written when their bodies are on the disk, and told to the journal when they are there
    /// themselves. Results of the code `cancelled`, and those of a run that can't write bodies any
    /// more, are left out: their URLs are not done with.
    ///
    /// - Parameter interval: How long lines are gathered for that. What is lost when the process is
    ///   killed are the lines of so long, and their URLs are fetched again.
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
            let results = try FileDescriptor.openForUpdating(path)
            guard Self.lock(results) else { throw FileError.inUse(path) }
            try results.truncate(to: journal.resultsLength)
            try results.seek(to: journal.resultsLength)
            try results.synchronize()
            try journal.begin()
            file = Mutex(results)
        } catch {
            throw Self.unwritable(error)
        }
        bell = try Self.makeBell()
        try start()
    }

    private static func openEmpty(_ path: String) throws(BatchFailure) -> FileDescriptor {
        do throws(FileError) {
            let file = try FileDescriptor.openForWriting(path, creation: .appending)
            guard try file.kind() == .regular else { return file }
            guard lock(file) else { throw FileError.inUse(path) }
            try file.truncate(to: 0)
            return file
        } catch {
            throw unwritable(error)
        }
    }

    /// Keeps other runs from emptying the file, until this one is done with it. Where there are no locks
    /// nobody is kept.
    private static func lock(_ file: borrowing FileDescriptor) -> Bool {
        (try? file.tryLock()) ?? true
    }

    /// Closing wouldn't do: a process that is being started at this moment has the lock, too.
    private static func unlock(_ file: borrowing FileDescriptor) {
        if (try? file.kind()) == .regular { file.unlock() }
    }

    private static func unwritable(_ error: FileError) -> BatchFailure {
        guard error.isInUse else {
            return BatchFailure(.output, "\(error): name a file that can be made")
        }
        return BatchFailure(
            .output,
            "the results “\(error.path)” are being written by another run: name another file, or wait "
                + "for its end"
        )
    }

    private static func makeBell() throws(BatchFailure) -> Wakeup {
        do throws(SystemFailure) {
            return try Wakeup()
        } catch {
            throw BatchFailure(.resources, "the result log can't start: \(error)")
        }
    }

    private func start() throws(BatchFailure) {
        do throws(SystemFailure) {
            try thread.withLock { thread throws(SystemFailure) in
                thread = try LoopThread(name: "batch-results") { [self] in run() }
            }
        } catch {
            throw BatchFailure(.resources, "the result log can't start: \(error)")
        }
    }

    /// Appends a line. It may be called on any thread, and blocks only if the disk has fallen
    /// megabytes behind.
    public func append(_ result: BatchResult) {
        if journal != nil, result.failure?.leavesUndone == true { return }
        var line: [UInt8] = []
        line.reserveCapacity(512)
        result.appendJSONLine(to: &line)
        let (isEnough, isTooMuch) = state.withLock { state in
            let before = state.lines.count
            state.lines += line
            if journal != nil {
                state.ordinals.append(result.ordinal)
                if !result.isFetched { state.failed += 1 }
            }
            let isEnough = before < Self.enough && state.lines.count >= Self.enough
            return (isEnough, state.lines.count > Self.tooMuch)
        }
        if isTooMuch { write() } else if isEnough { bell.signal() }
    }

    /// Writes what has gathered, where that is no more than a write: for a process that is about to end at
    /// once. With a journal nothing is written, for what it doesn't know of is fetched again.
    package func flush() {
        guard journal == nil else { return }
        _ = file.withLockIfAvailable { file in
            // Whoever reads a pipe may never do so again.
            guard let lines = state.withLock({ $0.failure == nil ? $0.lines : nil }), file != nil,
                (try? file?.kind()) == .regular
            else { return }
            try? file?.write(lines)
            state.withLock { $0.lines = [] }
        }
    }

    /// Why lines could not be written, if they couldn't.
    public var failure: BatchFailure? { state.withLock { $0.failure } }

    /// Writes what is left, and closes the file. Blocks until that is done.
    ///
    /// - Throws: ``BatchFailure`` with the code `output` if any line could not be written.
    public func close() throws(BatchFailure) {
        state.withLock { $0.isClosing = true }
        bell.signal()
        thread.withLock { $0.take() }?.join()
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

    /// Goes on in a new file of the same name, after the old one was given another: for programs
    /// that rotate logs. Nothing happens with a journal, whose results are one file.
    public func reopen() {
        guard journal == nil, path != "-" else { return }
        state.withLock { $0.isReopening = true }
        bell.signal()
    }

    /// The thread: until the log is closed, or nobody can write to it any more.
    private func run() {
        while true {
            let (isClosing, isReopening) = state.withLock { state in
                defer { state.isReopening = false }
                return (state.isClosing, state.isReopening)
            }
            write()
            if isReopening { exchangeFile() }
            if isClosing { return }
            bell.wait(until: MonotonicTime.now.advanced(by: interval))
        }
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

    private func write() {
        do throws(FileError) {
            try file.withLock { file throws(FileError) in
                let (lines, ordinals, failed) = state.withLock { state in
                    defer {
                        state.lines = []
                        state.ordinals = []
                        state.failed = 0
                    }
                    // After a failure nothing more: a line may be torn.
                    return state.failure == nil
                        ? (state.lines, state.ordinals, state.failed) : ([], [], 0)
                }
                guard !lines.isEmpty else { return }
                try bodies?.synchronizeFileSystem()
                try file?.write(lines)
                guard let journal else { return }
                try file?.synchronize()
                let length = written.add(Int64(lines.count), ordering: .relaxed).newValue
                try journal.append(
                    JournalEntry(ordinals: ordinals, failed: failed, resultsLength: length)
                )
            }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: FileError) {
        state.withLock { state in
            guard state.failure == nil else { return }
            let remedy = error.isLasting ? ": make room, or mend it, and start again" : ""
            let message = "results could not be written: \(error)\(remedy)"
            var failure = BatchFailure(.output, message)
            failure.systemErrno = error.errno
            state.failure = failure
        }
    }
}
