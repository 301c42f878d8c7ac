internal import CSQLite
package import Foundation

/// Owns a `sqlite3*`, an open database file.
///
/// Only one thread at a time may use it and its statements. Only this file uses the pointers of
/// SQLite. See <https://www.sqlite.org/cintro.html>.
@safe
package struct SQLiteConnection: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file for reading and writing. Creates it if it doesn't exist.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - patience: How many milliseconds a statement waits for another connection to finish
    ///     writing. After that it fails with `SQLITE_BUSY`.
    package init(path: String, patience: Int32) throws {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: code, statement: "open")
        }
        unsafe handle = opened
        unsafe sqlite3_busy_timeout(handle, patience)
    }

    /// SQLite frees the connection after its last statement is finalized, in either order.
    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements without parameters, and ignores their results.
    package func execute(_ sql: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, statement: sql) }
    }

    /// Whether the open file no longer has its name.
    var hasMoved: Bool {
        var moved: Int32 = 0
        unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
        return moved != 0
    }

    /// Compiles a statement for repeated use.
    package func prepare(_ sql: String) throws -> Statement {
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw SQLiteError(code: code, statement: sql)
        }
        return unsafe Statement(handle: prepared, sql: sql)
    }

    /// Owns a `sqlite3_stmt*`.
    @safe
    package struct Statement: ~Copyable {
        private let handle: OpaquePointer
        private let sql: String

        fileprivate init(handle: OpaquePointer, sql: String) {
            unsafe self.handle = handle
            self.sql = sql
        }

        deinit {
            unsafe sqlite3_finalize(handle)
        }

        /// Runs the statement with its parameters' values in order, and ignores its results.
        package func run(_ values: SQLiteValue...) throws {
            _ = try rows(values) { _ in () }
        }

        /// Runs the statement and reads the first row; `nil` if there is none.
        package func first<Value>(
            _ values: SQLiteValue...,
            read: (borrowing Row) -> Value
        ) throws -> Value? {
            try rows(values, read: read).first
        }

        /// Runs the statement and reads each row.
        package func all<Value>(
            _ values: SQLiteValue...,
            read: (borrowing Row) -> Value
        ) throws -> [Value] {
            try rows(values, read: read)
        }

        private func rows<Value>(
            _ values: [SQLiteValue],
            read: (borrowing Row) -> Value
        ) throws -> [Value] {
            defer {
                unsafe sqlite3_reset(handle)
                unsafe sqlite3_clear_bindings(handle)
            }
            for (index, value) in values.enumerated() {
                try check(bind(value, to: Int32(index + 1)))
            }
            var found: [Value] = []
            while true {
                let code = unsafe sqlite3_step(handle)
                if code == SQLITE_DONE { return found }
                guard code == SQLITE_ROW else { throw SQLiteError(code: code, statement: sql) }
                found.append(read(unsafe Row(handle: handle)))
            }
        }

        private func check(_ code: Int32) throws {
            guard code == SQLITE_OK else { throw SQLiteError(code: code, statement: sql) }
        }

        private func bind(_ value: SQLiteValue, to index: Int32) -> Int32 {
            switch value {
            case .integer(let number):
                return unsafe sqlite3_bind_int64(handle, index, Int64(number))
            case .real(let number):
                return unsafe sqlite3_bind_double(handle, index, number)
            case .text(let text):
                return unsafe csqlite_bind_text(handle, index, text, UInt64(text.utf8.count))
            case .blob(let data):
                return unsafe data.withUnsafeBytes { bytes in
                    unsafe csqlite_bind_blob(
                        handle,
                        index,
                        bytes.baseAddress,
                        UInt64(bytes.count)
                    )
                }
            }
        }
    }

    /// The current row of a statement, valid while it is read.
    @safe
    package struct Row: ~Copyable {
        private let handle: OpaquePointer

        fileprivate init(handle: OpaquePointer) {
            unsafe self.handle = handle
        }

        package func integer(_ column: Int32) -> Int {
            Int(unsafe sqlite3_column_int64(handle, column))
        }

        package func real(_ column: Int32) -> Double {
            unsafe sqlite3_column_double(handle, column)
        }

        package func blob(_ column: Int32) -> Data {
            guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return Data() }
            let count = Int(unsafe sqlite3_column_bytes(handle, column))
            return unsafe Data(bytes: bytes, count: count)
        }
    }
}

/// A value for a parameter of a statement.
package enum SQLiteValue: Sendable {
    case integer(Int)
    case real(Double)
    case text(String)
    case blob(Data)
}
