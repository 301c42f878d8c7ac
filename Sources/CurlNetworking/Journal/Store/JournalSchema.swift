internal import CurlURLSession
internal import Foundation

/// The table of a journal's file.
enum JournalSchema {
    /// The version of the schema, which the file names.
    private static let version = 1
    /// What tells the file from another program's (`PRAGMA application_id`): "TJnl".
    private static let application = 0x544a_6e6c

    /// Sets up a connection, and the table in a new file. A file that isn't a journal, or one of another
    /// version, is left as it is.
    static func prepare(_ connection: borrowing SQLiteConnection, path: String) throws {
        // Whoever has the journal has it alone: no memory is shared with others for the sake of its locks.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        let isNew = try isEmpty(connection, path: path)
        // Takes effect before there is a table.
        if isNew { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try connection.execute("PRAGMA journal_mode = WAL")
        // What was written down is on the disk when that returns.
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
                told INTEGER NOT NULL,
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
                "“\(path)” is a journal of version \(other), and this library writes version "
                    + "\(version). Open it with the library that has written it, or choose another "
                    + "folder."
            )
        default:
            throw TransferJournalError(
                .damaged,
                "“\(path)” is a database of another program's. Choose another folder."
            )
        }
    }
}
