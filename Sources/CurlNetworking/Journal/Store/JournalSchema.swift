internal import CurlURLSession
internal import Foundation

/// The table of a journal's file.
enum JournalSchema {
    /// The version of the schema; the file's `user_version`.
    private static let version = 2
    /// The file's `PRAGMA application_id`, "TJnl", which distinguishes it from other databases.
    private static let application = 0x544a_6e6c

    /// Configures a connection, and creates the table in a new file. Leaves a file unchanged that
    /// isn't a journal, or is one of another version.
    static func prepare(_ connection: borrowing SQLiteConnection, path: String) throws {
        // Only one connection has the journal open, so its locks need no shared memory.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let isNew = try isEmpty(connection, path: path)
        // It has an effect only before there is a table.
        if isNew { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try connection.execute("PRAGMA journal_mode = WAL")
        // A change is durable when the statement returns.
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute("PRAGMA journal_size_limit = 1048576")
        guard isNew else { return }
        try connection.execute(
            """
            BEGIN IMMEDIATE;
            CREATE TABLE jobs (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                state TEXT NOT NULL,
                delivered INTEGER NOT NULL,
                record BLOB NOT NULL,
                checksum INTEGER NOT NULL
            );
            PRAGMA application_id = \(application);
            PRAGMA user_version = \(version);
            COMMIT;
            """
        )
    }

    private static func isEmpty(
        _ connection: borrowing SQLiteConnection,
        path: String
    ) throws -> Bool {
        let select = try connection.prepare(
            """
            SELECT (SELECT application_id FROM pragma_application_id),
                (SELECT user_version FROM pragma_user_version),
                (SELECT count(*) FROM sqlite_schema)
            """
        )
        let found = try select.first { ($0.integer(0), $0.integer(1), $0.integer(2)) }
        switch found {
        case (application, version, _)?:
            return false
        case (0, 0, 0)?:
            return true
        case (application, let other, _)?:
            throw TransferJournalError(
                .otherVersion,
                "“\(path)” is a journal of format version \(other), and this library supports version "
                    + "\(version). Open it with the library version that wrote it, or choose another "
                    + "folder."
            )
        default:
            throw TransferJournalError(
                .damaged,
                "“\(path)” is another program's database. Choose another folder."
            )
        }
    }
}
