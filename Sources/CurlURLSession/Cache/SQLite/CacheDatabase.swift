internal import Foundation
internal import Posix

/// The responses in a database file, and the statements that access them.
///
/// Only one thread at a time may use it. Other processes may have the same file open.
///
/// The file is in WAL mode: it is intact after a crash at any moment, but the last writes may be
/// lost. Triggers count the stored bytes for the writes of all processes. A response whose
/// checksums don't match is removed when it is read.
struct CacheDatabase: ~Copyable {
    /// The version of the schema, which the file stores. A file with another version is set aside:
    /// version 1 had no checksums.
    static let version = 2

    private let connection: SQLiteConnection
    private let selectHeads: SQLiteConnection.Statement
    private let selectBody: SQLiteConnection.Statement
    private let insertResponse: SQLiteConnection.Statement
    private let deleteResponse: SQLiteConnection.Statement
    private let deleteOldest: SQLiteConnection.Statement
    private let touchResponse: SQLiteConnection.Statement
    private let selectUsage: SQLiteConnection.Statement

    /// Opens or creates the file. Throws if it can't be used as it is.
    ///
    /// Waits up to `patience` milliseconds for another process that writes.
    init(path: String, patience: Int32) throws {
        let isNew = !FileManager.default.fileExists(atPath: path)
        let connection = try SQLiteConnection(path: path, patience: patience)
        if isNew {
            // This precedes the first write, so that SQLite gives its other files the same
            // permissions.
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: path
            )
        }
        try CacheSchema.prepare(connection)
        let selectHeads = try connection.prepare(
            """
            SELECT id, head, used, head_checksum, body_checksum FROM responses
            WHERE url = ? AND method = ?
            """
        )
        let selectBody = try connection.prepare("SELECT body FROM responses WHERE id = ?")
        let insertResponse = try connection.prepare(
            """
            INSERT INTO responses
                (method, url, stored, used, size, head_checksum, body_checksum, head, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
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
        // Nothing fails from here on: the value is either complete or not created.
        self.selectHeads = selectHeads
        self.selectBody = selectBody
        self.insertResponse = insertResponse
        self.deleteResponse = deleteResponse
        self.deleteOldest = deleteOldest
        self.touchResponse = touchResponse
        self.selectUsage = selectUsage
        self.connection = connection
    }

    /// Whether the file was removed or replaced since it was opened.
    var hasMoved: Bool { connection.hasMoved }

    /// A stored response without its body.
    struct Head {
        let id: Int
        let response: ArchivedResponse
        /// When it was last used.
        let used: Date
        fileprivate let checksum: Int
        fileprivate let bodyChecksum: Int
    }

    /// The responses stored under a key. Removes those that are damaged or unreadable.
    func heads(for key: CacheKey) throws -> [Head] {
        let rows = try selectHeads.all(.text(key.url), .text(key.method)) { row in
            let used = Date(timeIntervalSince1970: row.real(2))
            return (row.integer(0), row.blob(1), used, row.integer(3), row.integer(4))
        }
        var heads: [Head] = []
        for (id, head, used, checksum, bodyChecksum) in rows {
            let isUnchanged = CacheChecksum.head(head, for: key) == checksum
            if isUnchanged, let response = ArchivedResponse(head) {
                heads.append(
                    Head(
                        id: id,
                        response: response,
                        used: used,
                        checksum: checksum,
                        bodyChecksum: bodyChecksum
                    )
                )
            } else {
                try remove(id)
            }
        }
        return heads
    }

    /// The body of a response. It is `nil` if another process has removed the response, or if it is
    /// damaged. A damaged response is removed.
    func body(of head: Head) throws -> Data? {
        guard let body = try selectBody.first(.integer(head.id), read: { $0.blob(0) }) else {
            return nil
        }
        if CacheChecksum.body(body, after: head.checksum) == head.bodyChecksum { return body }
        try remove(head.id)
        return nil
    }

    func add(_ key: CacheKey, head: Data, body: Data, at time: Date) throws {
        let checksum = CacheChecksum.head(head, for: key)
        try insertResponse.run(
            .text(key.method),
            .text(key.url),
            .real(time.timeIntervalSince1970),
            .real(time.timeIntervalSince1970),
            .integer(DiskCache.size(of: key, head: head, body: body)),
            .integer(checksum),
            .integer(CacheChecksum.body(body, after: checksum)),
            .blob(head),
            .blob(body)
        )
    }

    func remove(_ id: Int) throws {
        try deleteResponse.run(.integer(id))
    }

    /// Removes the responses for a URL, for one method or for all.
    func remove(url: String, method: String?) throws {
        let statement = try connection.prepare(
            "DELETE FROM responses WHERE url = ?1 AND (?2 = '' OR method = ?2)"
        )
        try statement.run(.text(url), .text(method ?? ""))
    }

    /// Removes the responses that were stored at a time or later.
    func remove(since time: Date) throws {
        let statement = try connection.prepare("DELETE FROM responses WHERE stored >= ?")
        try statement.run(.real(time.timeIntervalSince1970))
    }

    func touch(_ id: Int, at time: Date) throws {
        try touchResponse.run(.real(time.timeIntervalSince1970), .integer(id))
    }

    /// The number of stored bytes.
    func usage() throws -> Int {
        guard let usage = try selectUsage.first(read: { $0.integer(0) }) else {
            throw SQLiteError.damaged
        }
        return usage
    }

    /// Removes the least recently used responses until at most `capacity` bytes are left.
    func trim(to capacity: Int) throws {
        var usage = try usage()
        while usage > capacity {
            try deleteOldest.run()
            let left = try self.usage()
            guard left < usage else { break }
            usage = left
        }
        // Only damage makes the count negative, or leaves it too high without any responses.
        if usage < 0 || usage > capacity { try recount() }
    }

    private func recount() throws {
        try connection.execute(
            "UPDATE usage SET bytes = (SELECT coalesce(sum(size), 0) FROM responses)"
        )
    }

    /// Returns the space of removed responses to the file system.
    func shrink() throws {
        try connection.execute("PRAGMA incremental_vacuum")
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Calls `body` with the database.
    func perform<Value>(
        _ body: (borrowing CacheDatabase) throws -> Value
    ) rethrows -> Value {
        try body(self)
    }

    /// Makes all changes or, if one fails, none.
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

/// Checksums that detect changes of a stored response or its key.
///
/// SQLite checks the structure of its file, not the values in it
/// (<https://www.sqlite.org/howtocorrupt.html>). The checksums include the length of each part.
enum CacheChecksum {
    /// The checksum of the key and the head. Compare it before decoding the head, which says whose
    /// request the response answers.
    static func head(_ head: Data, for key: CacheKey) -> Int {
        var sum = Array(key.method.utf8).span.checksum(after: 0)
        sum = Array(key.url.utf8).span.checksum(after: sum)
        return Int(truncatingIfNeeded: head.span.checksum(after: sum))
    }

    /// The checksum of the body. It includes the head's, so another response's body doesn't match.
    static func body(_ body: Data, after head: Int) -> Int {
        Int(truncatingIfNeeded: body.span.checksum(after: UInt64(truncatingIfNeeded: head)))
    }
}
