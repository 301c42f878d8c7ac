internal import CSQLite

/// What SQLite answered in the place of success.
package struct SQLiteError: Error, Sendable, Hashable {
    /// The extended result code, see <https://www.sqlite.org/rescode.html>.
    package let code: Int32
    /// What was tried.
    package let statement: String

    /// Whether the file isn't a database, or a broken one.
    package var isDamage: Bool {
        let primary = code & 0xff
        return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB
    }

    /// Whether another row has the same key.
    package var isConflict: Bool { code & 0xff == SQLITE_CONSTRAINT }

    /// The file is a database, but not one of ours, or of another version.
    package static let foreign = SQLiteError(code: SQLITE_NOTADB, statement: "PRAGMA user_version")
}
