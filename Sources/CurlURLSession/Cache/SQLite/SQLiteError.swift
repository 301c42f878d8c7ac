internal import CSQLite

/// An error from SQLite.
package struct SQLiteError: Error, Sendable, Hashable {
    /// The extended result code, see <https://www.sqlite.org/rescode.html>.
    package let code: Int32
    /// The statement or operation that failed.
    package let statement: String

    /// Whether the file isn't a database, or is a damaged one.
    package var isDamage: Bool {
        let primary = code & 0xff
        return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB
    }

    /// Whether a database with this program's tables is damaged.
    ///
    /// The contents of a damaged page may also appear as a missing column, as a value that violates
    /// a constraint, or as a value that is too long.
    package var isDamageOfKnownTables: Bool {
        let primary = code & 0xff
        return isDamage || [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_TOOBIG].contains(primary)
    }

    /// Whether another row has the same key.
    package var isConflict: Bool { code & 0xff == SQLITE_CONSTRAINT }

    /// The file is a database of another program, or of another version.
    package static let foreign = SQLiteError(code: SQLITE_NOTADB, statement: "PRAGMA user_version")

    /// The tables lack contents that they always have.
    package static let damaged = SQLiteError(code: SQLITE_CORRUPT, statement: "read")
}
