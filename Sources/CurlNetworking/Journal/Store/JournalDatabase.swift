internal import Curl
internal import CurlURLSession
internal import Foundation

/// The jobs in a database file. What a method has written is on the disk when it returns; what the end of
/// the program or of the system interrupts is as if it hadn't begun.
struct JournalDatabase: ~Copyable {
    let connection: SQLiteConnection
    private let insertJob: SQLiteConnection.Statement
    private let updateJob: SQLiteConnection.Statement
    private let deleteJob: SQLiteConnection.Statement
    private let selectJob: SQLiteConnection.Statement
    private let selectSequence: SQLiteConnection.Statement
    private let selectJobs: SQLiteConnection.Statement

    /// So many jobs are read at once.
    private static let page = 256

    /// Opens the file, or makes it, for its owner alone to read.
    init(path: String) throws {
        try FileDescriptor.openForWriting(path, creation: .appending, mode: 0o600).close()
        let connection = try SQLiteConnection(path: path, patience: 0)
        try JournalSchema.prepare(connection, path: path)
        let insertJob = try connection.prepare(
            "INSERT INTO jobs (id, state, told, record, checksum) VALUES (?, ?, ?, ?, ?)"
                + " RETURNING sequence"
        )
        let updateJob = try connection.prepare(
            "UPDATE jobs SET state = ?, told = ?, record = ?, checksum = ? WHERE sequence = ?"
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
        // From here on nothing fails: what owns something is whole, or isn't.
        self.insertJob = insertJob
        self.updateJob = updateJob
        self.deleteJob = deleteJob
        self.selectJob = selectJob
        self.selectSequence = selectSequence
        self.selectJobs = selectJobs
        self.connection = connection
    }

    /// Does something with the database.
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
                .integer(row.told),
                .blob(row.record),
                .integer(row.checksum)
            ) { $0.integer(0) }
            var job = job
            job.sequence = sequence ?? 0
            return job
        } catch let error as SQLiteError where error.isConflict {
            throw TransferJournalError(
                .jobExists,
                "The journal has a job “\(job.id)” already. Choose another name, or remove that job "
                    + "first."
            )
        }
    }

    /// Writes down what has become of a job.
    func update(_ job: TransferJob) throws {
        let row = try JournalRow(job)
        try updateJob.run(
            .text(row.state),
            .integer(row.told),
            .blob(row.record),
            .integer(row.checksum),
            .integer(row.sequence)
        )
    }

    /// Writes down that somebody was told of a job's end, if what is written down is that end still.
    func noteTold(_ job: TransferJob) throws {
        guard var there = try self.job(job.sequence), there.state == job.state,
            there.attempts == job.attempts
        else { return }
        there.isTold = true
        try update(there)
    }

    func remove(_ sequence: Int) throws {
        try deleteJob.run(.integer(sequence))
    }

    /// `nil` if there is none of that name. Throws if its record can't be read.
    func job(named id: String) throws -> TransferJob? {
        let sequence = try selectSequence.first(.text(id)) { $0.integer(0) }
        guard let sequence else { return nil }
        return try job(sequence)
    }

    /// `nil` if there is none of that number. Throws if its record can't be read.
    func job(_ sequence: Int) throws -> TransferJob? {
        try selectJob.first(.integer(sequence)) { JournalRow($0) }?.job().get()
    }

    // MARK: - All jobs

    /// Goes through all jobs in the order in which they were added.
    private func forEach(_ body: (JournalRow) throws -> Void) throws {
        var last = 0
        while true {
            let rows = try selectJobs.all(.integer(last)) { JournalRow($0) }
            guard let end = rows.last else { return }
            for row in rows { try body(row) }
            last = end.sequence
        }
    }

    /// The jobs that can be read and fit.
    func jobs(where fits: (TransferJob) -> Bool) throws -> [TransferJob] {
        var jobs: [TransferJob] = []
        try forEach { row in
            if let job = try? row.job().get(), fits(job) { jobs.append(job) }
        }
        return jobs
    }

    /// Those that can't be read.
    func damagedJobs() throws -> [DamagedJob] {
        var damaged: [DamagedJob] = []
        try forEach { row in
            guard case .failure(let error) = row.job() else { return }
            damaged.append(DamagedJob(number: row.sequence, id: row.id, message: error.message))
        }
        return damaged
    }

    /// Makes all changes or, where one fails, none.
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

    /// Gives the room of what was removed back to the file system.
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
                "The journal\(file) is damaged, or no journal (SQLite result code \(error.code)). Restore it "
                    + "from a backup, or salvage its records with “sqlite3 FILE .recover”, or move it "
                    + "out of the way and add the transfers anew."
            )
        } else {
            self.init(
                .storage,
                "The journal\(file) can't be read or written (SQLite result code \(error.code), at "
                    + "“\(error.statement.prefix(60))”). See that its disk has room and can be "
                    + "written to."
            )
        }
    }
}
