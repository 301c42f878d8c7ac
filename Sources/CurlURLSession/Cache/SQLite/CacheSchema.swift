/// The tables of the database file.
enum CacheSchema {
    /// Configures a connection, and creates the tables in a new file.
    ///
    /// Throws ``SQLiteError/foreign`` if the file has other tables, and doesn't change it.
    static func prepare(_ connection: borrowing SQLiteConnection) throws {
        let isNew = try isEmpty(connection)
        // Takes effect only before the first table exists.
        if isNew { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
        try connection.execute("PRAGMA journal_mode = WAL")
        // A power failure never damages the file, but it may undo the last writes.
        try connection.execute("PRAGMA synchronous = NORMAL")
        try connection.execute("PRAGMA journal_size_limit = 4194304")
        guard isNew else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            // Another process may have created the tables meanwhile.
            if try isEmpty(connection) { try create(in: connection) }
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Whether the tables don't exist yet.
    private static func isEmpty(_ connection: borrowing SQLiteConnection) throws -> Bool {
        // One statement, so that both values are from the same moment.
        let select = try connection.prepare(
            """
            SELECT (SELECT user_version FROM pragma_user_version),
                (SELECT count(*) FROM sqlite_schema)
            """
        )
        let found = try select.first { row in (row.integer(0), row.integer(1)) }
        switch found {
        case (CacheDatabase.version, _)?: return false
        case (0, 0)?: return true
        default: throw SQLiteError.foreign
        }
    }

    private static func create(in connection: borrowing SQLiteConnection) throws {
        try connection.execute(
            """
            CREATE TABLE responses (
                id INTEGER PRIMARY KEY,
                method TEXT NOT NULL,
                url TEXT NOT NULL,
                stored REAL NOT NULL,
                used REAL NOT NULL,
                size INTEGER NOT NULL,
                head_checksum INTEGER NOT NULL,
                body_checksum INTEGER NOT NULL,
                head BLOB NOT NULL,
                body BLOB NOT NULL
            );
            CREATE INDEX responses_url ON responses (url, method);
            CREATE INDEX responses_used ON responses (used, id);
            CREATE TABLE usage (bytes INTEGER NOT NULL);
            INSERT INTO usage VALUES (0);
            CREATE TRIGGER responses_added AFTER INSERT ON responses BEGIN
                UPDATE usage SET bytes = bytes + NEW.size;
            END;
            CREATE TRIGGER responses_removed AFTER DELETE ON responses BEGIN
                UPDATE usage SET bytes = bytes - OLD.size;
            END;
            PRAGMA user_version = \(CacheDatabase.version);
            """
        )
    }
}
