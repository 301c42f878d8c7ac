internal import Posix
internal import Synchronization

/// The results of a run that the database hasn't taken, in files of a folder.
///
/// Each worker locks a file of its own, so several may use the folder. The files of workers that
/// have died are delivered by the next worker on the run. Only one call may run at a time, except
/// ``isEmpty``.
final class ReportJournal: Sendable {
    private struct State {
        /// The files with results, those of workers that have died first.
        var files: [ReportFile] = []
        /// The file of this worker, once it was needed.
        var own: ReportFile?
    }

    /// The most workers on a run that keep results in one folder.
    private static let fileCount = 256

    let folder: String
    private let prefix: String
    private let state = Mutex(State())

    /// - Parameter folder: It is created with its parents when it is needed.
    init(folder: String, of run: FleetRun) {
        self.folder = folder
        prefix = "\(folder)/\(run.identity)."
    }

    /// Whether everything is delivered.
    var isEmpty: Bool { state.withLock { $0.files.isEmpty } }

    private func path(_ number: Int) -> String { "\(prefix)\(number).jsonl" }

    /// Finds the files of workers that have died.
    func findFiles() async throws(FileError) {
        try await Self.blocking { [self] () throws(FileError) in
            guard try FileSystem.kind(of: folder) != nil else { return }
            for number in 0..<Self.fileCount {
                guard try FileSystem.plainKind(of: path(number)) != nil,
                    let file = try ReportFile.open(path(number))
                else { continue }
                if file.isEmpty {
                    try file.remove()
                } else {
                    state.withLock { $0.files.append(file) }
                }
            }
        }
    }

    /// Keeps the results and moves of a report. Returns when the disk has stored them.
    func append(_ report: FleetReport) async throws(FileError) {
        try await Self.blocking { [self] () throws(FileError) in
            let known = state.withLock { $0.own }
            let own: ReportFile
            if let known { own = known } else { own = try makeFile() }
            try own.append(report)
            state.withLock { state in
                state.own = own
                if !state.files.contains(where: { $0 === own }) { state.files.append(own) }
            }
        }
    }

    private func makeFile() throws(FileError) -> ReportFile {
        try FileSystem.makeDirectory(folder)
        for number in 0..<Self.fileCount {
            guard let file = try ReportFile.open(path(number)), file.isEmpty else { continue }
            try FileDescriptor.openDirectory(folder).synchronize()
            return file
        }
        throw FileError.inUse(path(Self.fileCount - 1))
    }

    /// The next results to deliver; `nil` if there are none any more.
    ///
    /// Removes files whose results are all delivered.
    func next() async throws(FileError) -> ReportFile.Portion? {
        try await Self.blocking { [self] () throws(FileError) in
            while let file = state.withLock({ $0.files.first }) {
                if let portion = try file.next() { return portion }
                try file.remove()
                drop(file)
            }
            return nil
        }
    }

    /// Notes that the results that ``next()`` returned are delivered.
    func skip(_ portion: ReportFile.Portion) {
        state.withLock { $0.files.first }?.skip(portion)
    }

    /// Releases the file of the last ``next()``, which can't be read. It stays in the folder.
    func skipFile() {
        if let file = state.withLock({ $0.files.first }) { drop(file) }
    }

    private func drop(_ file: ReportFile) {
        state.withLock { state in
            state.files.removeAll { $0 === file }
            if state.own === file { state.own = nil }
        }
    }

    /// Runs `work`, which blocks on the disk, on a thread of its own.
    static func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(FileError) -> Value
    ) async throws(FileError) -> Value {
        var thread: JoinedThread?
        let outcome: Result<Value, FileError> = await withCheckedContinuation { continuation in
            let body: @Sendable () -> Void = {
                do throws(FileError) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            do throws(SystemFailure) {
                thread = try JoinedThread(name: "fleet-disk", body: body)
            } catch {
                // Better late on this thread than never.
                body()
            }
        }
        // It has only to release what it used.
        thread.take()?.join()
        return try outcome.get()
    }
}
