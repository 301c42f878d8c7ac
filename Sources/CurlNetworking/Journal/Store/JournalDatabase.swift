internal import CurlURLSession
internal import Foundation
internal import Posix

/// The jobs in a database file.
///
/// When a method returns, its changes are durable. A change that the end of the program or of the
/// system interrupts has no effect.
struct JournalDatabase: ~Copyable {
    let connection: SQLiteConnection
    private let insertJob: SQLiteConnection.Statement
    private let updateJob: SQLiteConnection.Statement
    private let deleteJob: SQLiteConnection.Statement
    private let selectJob: SQLiteConnection.Statement
    private let selectSequence: SQLiteConnection.Statement
    private let selectJobs: SQLiteConnection.Statement

    /// How many jobs are read at once.
    private static let page = 256

    /// Opens the file or creates it, for its owner only (mode 0600).
    init(path: String) throws {
        try FileDescriptor.openForWriting(path, creation: .appending, mode: 0o600).close()
        let connection = try SQLiteConnection(path: path, patience: 0)
        try JournalSchema.prepare(connection, path: path)
        let insertJob = try connection.prepare(
            "INSERT INTO jobs (id, state, delivered, record, checksum) VALUES (?, ?, ?, ?, ?)"
                + " RETURNING sequence"
        )
        let updateJob = try connection.prepare(
            "UPDATE jobs SET state = ?, delivered = ?, record = ?, checksum = ? WHERE sequence = ?"
        )
        let deleteJob = try connection.prepare("DELETE FROM jobs WHERE sequence = ?")
        let selectJob = try connection.prepare(
            "SELECT \(JournalRow.columns) FROM jobs WHERE sequence = ?"
        )
        let selectSequence = try connection.prepare("SELECT sequence FROM jobs WHERE id = ?")
        let selectJobs = try connection.prepare(
            """
            SELECT \(JournalRow.columns) FROM jobs WHERE sequence > ?
            ORDER BY sequence LIMIT \(Self.page)
            """
        )
        // Nothing throws from here on: a noncopyable value is initialised completely or not at all.
        self.insertJob = insertJob
        self.updateJob = updateJob
        self.deleteJob = deleteJob
        self.selectJob = selectJob
        self.selectSequence = selectSequence
        self.selectJobs = selectJobs
        self.connection = connection
    }

    /// Runs a closure with the database, and converts errors of SQLite.
    func perform<Value>(
        _ body: (borrowing JournalDatabase) throws -> Value
    ) throws -> Value {
        do {
            return try body(self)
        } catch let error as SQLiteError {
            throw TransferJournalError(error)
        }
    }

    // MARK: - One job

    /// Adds a job at the end, and returns it with its number.
    func add(_ job: TransferJob) throws -> TransferJob {
        let row = try JournalRow(job)
        do {
            let sequence = try insertJob.first(
                .text(row.id),
                .text(row.state),
                .integer(row.delivered),
                .blob(row.record),
                .integer(row.checksum)
            ) { $0.integer(0) }
            var job = job
            job.sequence = sequence ?? 0
            return job
        } catch let error as SQLiteError where error.isConflict {
            throw TransferJournalError(
                .jobExists,
                "The journal has a job “\(job.id)” already. Choose another ID, or remove that job "
                    + "first."
            )
        }
    }

    /// Records a job's current state.
    func update(_ job: TransferJob) throws {
        let row = try JournalRow(job)
        try updateJob.run(
            .text(row.state),
            .integer(row.delivered),
            .blob(row.record),
            .integer(row.checksum),
            .integer(row.sequence)
        )
    }

    /// Records that a job's completion was delivered. A record of a later state isn't changed.
    func noteDelivery(_ job: TransferJob) throws {
        guard var stored = try self.job(job.sequence), stored.state == job.state,
            stored.attempts == job.attempts
        else { return }
        stored.isDelivered = true
        try update(stored)
    }

    func remove(_ sequence: Int) throws {
        try deleteJob.run(.integer(sequence))
    }

    /// The job of a name; `nil` if there is none. Throws if its record can't be read.
    func job(named id: String) throws -> TransferJob? {
        let sequence = try selectSequence.first(.text(id)) { $0.integer(0) }
        guard let sequence else { return nil }
        return try job(sequence)
    }

    /// The job of a number; `nil` if there is none. Throws if its record can't be read.
    func job(_ sequence: Int) throws -> TransferJob? {
        try selectJob.first(.integer(sequence)) { JournalRow($0) }?.job().get()
    }

    // MARK: - All jobs

    /// Calls `body` with each row, in the order the jobs were added.
    private func forEach(_ body: (JournalRow) throws -> Void) throws {
        var last = 0
        while true {
            let rows = try selectJobs.all(.integer(last)) { JournalRow($0) }
            guard let end = rows.last else { return }
            for row in rows { try body(row) }
            last = end.sequence
        }
    }

    /// The readable jobs that `fits` accepts.
    func jobs(where fits: (TransferJob) -> Bool) throws -> [TransferJob] {
        var jobs: [TransferJob] = []
        try forEach { row in
            if let job = try? row.job().get(), fits(job) { jobs.append(job) }
        }
        return jobs
    }

    /// The jobs that can't be read.
    func damagedJobs() throws -> [DamagedJob] {
        var damaged: [DamagedJob] = []
        try forEach { row in
            guard case .failure(let error) = row.job() else { return }
            damaged.append(DamagedJob(number: row.sequence, id: row.id, message: error.message))
        }
        return damaged
    }

    /// Applies all changes, or none if one of them fails.
    func transaction(_ changes: (borrowing JournalDatabase) throws -> Void) throws {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try changes(self)
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Returns the space of removed jobs to the file system.
    func compact() throws {
        try connection.execute("PRAGMA incremental_vacuum")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

extension TransferJournalError {
    init(_ error: SQLiteError, path: String? = nil) {
        let file = path.map { " “\($0)”" } ?? ""
        if error.isDamage {
            self.init(
                .damaged,
                "The journal\(file) is damaged or isn't a journal (SQLite result code \(error.code)). Restore "
                    + "it from a backup, recover its records with “sqlite3 FILE .recover”, or move the "
                    + "file away and add the jobs again."
            )
        } else {
            self.init(
                .storage,
                "The journal\(file) can't be read or written (SQLite result code \(error.code), at "
                    + "“\(error.statement.prefix(60))”). Check that its disk has free space and is "
                    + "writable."
            )
        }
    }
}
