internal import Foundation

/// The responses in a database file, and the statements that find, add and remove them. One thread at
/// a time may use it; other processes may have the same file open.
///
/// The file is in WAL mode, so that it is whole after a crash at any moment; what was written last may
/// be missing then. How many bytes are stored is counted by triggers, whoever writes.
struct CacheDatabase: ~Copyable {
    /// The version of the schema, which the file names. A file of another one is begun anew.
    static let version = 1

    private let connection: SQLiteConnection
    private let selectHeads: SQLiteConnection.Statement
    private let selectBody: SQLiteConnection.Statement
    private let insertResponse: SQLiteConnection.Statement
    private let deleteResponse: SQLiteConnection.Statement
    private let deleteOldest: SQLiteConnection.Statement
    private let touchResponse: SQLiteConnection.Statement
    private let selectUsage: SQLiteConnection.Statement

    /// Opens the file, or makes it. Throws where it can't be used as it is. For `patience` milliseconds
    /// another process that writes is waited for.
    init(path: String, patience: Int32) throws {
        let isNew = !FileManager.default.fileExists(atPath: path)
        let connection = try SQLiteConnection(path: path, patience: patience)
        if isNew {
            // Before anything is in it, and before the files beside it get the same rights.
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: path
            )
        }
        try CacheSchema.prepare(connection)
        let selectHeads = try connection.prepare(
            "SELECT id, head, used FROM responses WHERE url = ? AND method = ?"
        )
        let selectBody = try connection.prepare("SELECT body FROM responses WHERE id = ?")
        let insertResponse = try connection.prepare(
            """
            INSERT INTO responses (method, url, stored, used, size, head, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        )
        let deleteResponse = try connection.prepare("DELETE FROM responses WHERE id = ?")
        let deleteOldest = try connection.prepare(
            """
            DELETE FROM responses
            WHERE id = (SELECT id FROM responses ORDER BY used, id LIMIT 1)
            """
        )
        let touchResponse = try connection.prepare("UPDATE responses SET used = ? WHERE id = ?")
        let selectUsage = try connection.prepare("SELECT bytes FROM usage")
        // From here on nothing fails: what owns something is whole, or isn't.
        self.selectHeads = selectHeads
        self.selectBody = selectBody
        self.insertResponse = insertResponse
        self.deleteResponse = deleteResponse
        self.deleteOldest = deleteOldest
        self.touchResponse = touchResponse
        self.selectUsage = selectUsage
        self.connection = connection
    }

    /// Whether the file was removed since it was opened, or another one has its name.
    var hasMoved: Bool { connection.hasMoved }

    /// A stored response without its body.
    struct Head {
        let id: Int
        let response: ArchivedResponse
        /// When it was last used.
        let used: Date
    }

    /// What is stored under a key. What can't be read is removed.
    func heads(for key: CacheKey) throws -> [Head] {
        let rows = try selectHeads.all(.text(key.url), .text(key.method)) { row in
            (row.integer(0), row.blob(1), Date(timeIntervalSince1970: row.real(2)))
        }
        var heads: [Head] = []
        for (id, head, used) in rows {
            if let response = ArchivedResponse(head) {
                heads.append(Head(id: id, response: response, used: used))
            } else {
                try remove(id)
            }
        }
        return heads
    }

    /// `nil` if another process has removed it since.
    func body(_ id: Int) throws -> Data? {
        try selectBody.first(.integer(id)) { $0.blob(0) }
    }

    func add(_ key: CacheKey, head: Data, body: Data, at time: Date) throws {
        try insertResponse.run(
            .text(key.method),
            .text(key.url),
            .real(time.timeIntervalSince1970),
            .real(time.timeIntervalSince1970),
            .integer(DiskCache.size(of: key, head: head, body: body)),
            .blob(head),
            .blob(body)
        )
    }

    func remove(_ id: Int) throws {
        try deleteResponse.run(.integer(id))
    }

    /// Removes what is stored for a URL, under one method or all.
    func remove(url: String, method: String?) throws {
        let statement = try connection.prepare(
            "DELETE FROM responses WHERE url = ?1 AND (?2 = '' OR method = ?2)"
        )
        try statement.run(.text(url), .text(method ?? ""))
    }

    /// Removes what was stored at a time or after it.
    func remove(since time: Date) throws {
        let statement = try connection.prepare("DELETE FROM responses WHERE stored >= ?")
        try statement.run(.real(time.timeIntervalSince1970))
    }

    func touch(_ id: Int, at time: Date) throws {
        try touchResponse.run(.real(time.timeIntervalSince1970), .integer(id))
    }

    /// How many bytes are stored.
    func usage() throws -> Int {
        try selectUsage.first { $0.integer(0) } ?? 0
    }

    /// Removes what wasn't used for longest, until no more than so many bytes are left.
    func trim(to capacity: Int) throws {
        var usage = try usage()
        while usage > capacity {
            try deleteOldest.run()
            let left = try self.usage()
            guard left < usage else { return }
            usage = left
        }
    }

    /// Gives the room of what was removed back to the file system.
    func shrink() throws {
        try connection.execute("PRAGMA incremental_vacuum")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Does something with the database.
    func perform<Value>(
        _ body: (borrowing CacheDatabase) throws -> Value
    ) rethrows -> Value {
        try body(self)
    }

    /// Makes all changes or, where one fails, none.
    func transaction(_ changes: (borrowing CacheDatabase) throws -> Void) throws {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try changes(self)
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }
}
