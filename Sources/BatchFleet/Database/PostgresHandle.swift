internal import CPostgres
internal import Posix

/// Owns a `PGconn*`, a connection of libpq that never blocks.
///
/// Only one thread at a time may use it. Only this file uses the pointers of libpq. See
/// <https://www.postgresql.org/docs/15/libpq.html>.
@safe
final class PostgresHandle {
    /// What a connection attempt waits for.
    enum ConnectionStep {
        case waiting(SocketInterest)
        case connected
        case failed
    }

    /// What libpq returned for a statement.
    enum Answer {
        case rows(PostgresRows)
        case failed(FleetError)
        /// An earlier statement of the same transaction failed.
        case skipped
        /// The end of a transaction.
        case sync
    }

    private let connection: OpaquePointer

    /// Starts to connect. It may block while libpq looks up the host's address.
    ///
    /// - Parameter address: A URI, keywords and values, or empty for `PGHOST` and the like.
    init(address: String) throws(FleetError) {
        guard !Self.hasUnencodedUser(address), unsafe cpostgres_is_valid_info(address) != 0 else {
            throw FleetError(
                .invalidAddress,
                "the address of the database can't be parsed: write "
                    + "postgresql://USER@HOST:PORT/DATABASE or KEYWORD=VALUE …, "
                    + "with %XX for special characters in a URI"
            )
        }
        guard let connection = unsafe cpostgres_connect(address, "batchfetch") else {
            throw FleetError(.resources, "there is no memory for a connection to PostgreSQL")
        }
        unsafe self.connection = connection
        // While connecting, libpq gives the server's code only as a part of this text.
        unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    }

    deinit { unsafe PQfinish(connection) }

    /// Whether the user or the password of a URI has an `@` or a `/` that isn't written as `%XX`.
    ///
    /// libpq would take what follows it for a host or a port, and show it in messages.
    private static func hasUnencodedUser(_ address: String) -> Bool {
        let scheme = ["postgresql://", "postgres://"].first { address.hasPrefix($0) }
        guard let scheme else { return false }
        let server = address.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "?") }
        guard let at = server.lastIndex(of: UInt8(ascii: "@")) else { return false }
        return server[..<at].contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/") }
    }

    /// The socket; it may change while the connection is being made. -1 if there is none.
    var socket: Int32 { unsafe PQsocket(connection) }

    /// libpq's own text about the last failure, with PostgreSQL's codes.
    var failureText: String {
        guard let start = unsafe PQerrorMessage(connection) else { return "" }
        return unsafe String(cString: start)
    }

    /// Whether the server asked for a password that wasn't given.
    var needsPassword: Bool { unsafe PQconnectionNeedsPassword(connection) != 0 }

    /// Continues to connect, when the socket is ready as the last step demanded.
    func continueConnecting() -> ConnectionStep {
        switch unsafe PQconnectPoll(connection) {
        case PGRES_POLLING_READING: .waiting(.read)
        case PGRES_POLLING_WRITING: .waiting(.write)
        case PGRES_POLLING_OK: .connected
        default: .failed
        }
    }

    /// Makes an established connection ready for ``send(_:)``. False without memory.
    func beginPipeline() -> Bool {
        guard unsafe PQsetnonblocking(connection, 1) == 0 else { return false }
        return unsafe PQenterPipelineMode(connection) == 1
    }

    /// Queues the preparation of a statement. False if the connection is broken.
    func prepare(_ name: String, _ sql: String) -> Bool {
        unsafe PQsendPrepare(connection, name, sql, 0, nil) == 1
    }

    /// Queues a statement. False if the connection is broken, if it has too many parameters, or if
    /// one of them has 2 GiB or more.
    func send(_ call: PostgresCall) -> Bool {
        var bytes: [UInt8] = []
        var parameters: [cpostgres_parameter] = []
        for value in call.values {
            let offset = bytes.count
            let format = value.encode(into: &bytes)
            guard let length = Int32(exactly: bytes.count - offset) else { return false }
            // libpq reads a text up to this byte, and a binary value by its length.
            bytes.append(0)
            parameters.append(
                cpostgres_parameter(
                    offset: format == nil ? -1 : offset,
                    length: length,
                    format: format == .binary ? 1 : 0
                )
            )
        }
        let count = Int32(parameters.count)
        // libpq reads neither array if there is no parameter, but both need an address.
        bytes.append(0)
        parameters.append(cpostgres_parameter())
        let statement = call.statement
        if let name = statement.name {
            return unsafe cpostgres_send(connection, name, nil, count, bytes, parameters) == 1
        }
        return unsafe cpostgres_send(connection, nil, statement.sql, count, bytes, parameters) == 1
    }

    /// Ends a transaction: the statements since the last call succeed or fail together.
    func sync() -> Bool { unsafe PQpipelineSync(connection) == 1 }

    /// Writes queued bytes until the socket takes no more. `nil` if the connection is broken.
    ///
    /// - Returns: Whether everything was written.
    func flush() -> Bool? {
        switch unsafe PQflush(connection) {
        case 0: true
        case 1: false
        default: nil
        }
    }

    /// Reads what has come. False if the connection is broken.
    func read() -> Bool { unsafe PQconsumeInput(connection) == 1 }

    /// The next answer; `nil` if more has to be read first.
    func nextAnswer() -> Answer? {
        // NULL separates the answers of two statements. Two in a row don't occur.
        for _ in 0..<2 {
            guard unsafe PQisBusy(connection) == 0 else { return nil }
            guard let result = unsafe PQgetResult(connection) else { continue }
            defer { unsafe PQclear(result) }
            return unsafe answer(result)
        }
        return nil
    }

    private func answer(_ result: OpaquePointer) -> Answer {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .rows(PostgresRows())
        case PGRES_TUPLES_OK: .rows(unsafe rows(result))
        case PGRES_PIPELINE_SYNC: .sync
        case PGRES_PIPELINE_ABORTED: .skipped
        default: .failed(unsafe failure(result))
        }
    }

    private func rows(_ result: OpaquePointer) -> PostgresRows {
        let (count, columnCount) = unsafe (PQntuples(result), PQnfields(result))
        var cells: [String?] = []
        cells.reserveCapacity(Int(count) * Int(columnCount))
        for row in 0..<count {
            for column in 0..<columnCount {
                if unsafe PQgetisnull(result, row, column) == 0,
                    let start = unsafe PQgetvalue(result, row, column)
                {
                    cells.append(unsafe String(cString: start))
                } else {
                    cells.append(nil)
                }
            }
        }
        return PostgresRows(cells: cells, columnCount: Int(columnCount), count: Int(count))
    }

    private func failure(_ result: OpaquePointer) -> FleetError {
        guard let state = unsafe cpostgres_sqlstate(result) else {
            return FleetError(losing: failureText)
        }
        let message = unsafe cpostgres_primary_message(result)
        return FleetError(
            sqlState: unsafe String(cString: state),
            message: unsafe message.map { unsafe String(cString: $0) } ?? "no reason"
        )
    }
}
