internal import CSQLite

/// What SQLite answered in the place of success.
struct SQLiteError: Error, Sendable, Hashable {
    /// The extended result code, see <https://www.sqlite.org/rescode.html>.
    let code: Int32
    /// What was tried.
    let statement: String

    /// Whether the file isn't a database, or a broken one.
    var isDamage: Bool {
        let primary = code & 0xff
        return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB
    }

    /// The file is a database, but not one of ours, or of another version.
    static let foreign = SQLiteError(code: SQLITE_NOTADB, statement: "PRAGMA user_version")
}
