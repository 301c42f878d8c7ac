internal import Posix

/// The state of a connection, on its thread: connects when there are requests, sends them, and
/// assigns the answers.
///
/// Requests are sent as they come, without waiting for the answers of earlier ones (libpq's
/// pipeline mode). Each is a transaction of its own.
final class PostgresSession {
    /// What the thread waits for.
    struct Waiting {
        var socket: Int32 = -1
        var interest: SocketInterest = []
        var deadline: MonotonicTime?
    }

    private enum Phase {
        case idle
        case connecting(PostgresHandle, SocketInterest, until: MonotonicTime)
        case connected(PostgresHandle)
    }

    /// What was sent up to a sync.
    private enum Transaction {
        case settings
        case preparation(String)
        case request(PostgresRequest)
    }

    /// The settings of a connection.
    ///
    /// Names in the statements have their schema. The statements address rows by keys, so an index
    /// is always right, also before a new table has statistics; and planning each of them again
    /// would take longer than they do.
    private static let settings: [PostgresStatement] = [
        PostgresStatement("SET search_path TO pg_catalog"),
        PostgresStatement("SET enable_seqscan TO off"),
        PostgresStatement("SET plan_cache_mode TO force_generic_plan"),
        PostgresStatement("SET jit TO off"),
        // A search for one key has nothing to read ahead.
        PostgresStatement("SET effective_io_concurrency TO 0"),
    ]

    private let options: PostgresOptions
    private var phase = Phase.idle
    private var queued: [PostgresRequest] = []
    private var sent: [Transaction] = []
    /// The index in ``sent`` of the transaction whose answers come next.
    private var first = 0
    private var rows: [PostgresRows] = []
    private var failure: FleetError?
    private var prepared: Set<String> = []
    private var refusedPreparations: [String: FleetError] = [:]
    private var hasUnwritten = false

    init(_ options: PostgresOptions) {
        self.options = options
    }

    /// Queues requests for the next ``advance(_:at:)``.
    func add(_ requests: [PostgresRequest]) { queued += requests }

    /// Ends the connection, and fails all requests.
    func close() {
        phase = .idle
        let error = FleetError(.closed, "the connection to PostgreSQL is closed")
        fail(takeSent() + takeQueued(), error)
    }

    /// What the thread waits for before the next ``advance(_:at:)``.
    var waiting: Waiting {
        switch phase {
        case .idle: Waiting()
        case .connecting(let handle, let interest, let deadline):
            Waiting(socket: handle.socket, interest: interest, deadline: deadline)
        case .connected(let handle):
            Waiting(
                socket: handle.socket,
                interest: hasUnwritten ? [.read, .write] : .read,
                deadline: earliestDeadline
            )
        }
    }

    /// Does what is possible without waiting.
    ///
    /// - Parameter ready: The readiness of the socket.
    func advance(_ ready: SocketInterest, at now: MonotonicTime) {
        switch phase {
        case .idle:
            if !queued.isEmpty { connect(at: now) }
        case .connecting(let handle, _, let deadline):
            if !ready.isEmpty {
                continueConnecting(handle, until: deadline, at: now)
            } else if now >= deadline {
                let limit = options.connectTimeout.wholeSeconds
                failConnecting(
                    FleetError(
                        .unreachable,
                        "can't connect to PostgreSQL: no connection within \(limit) seconds"
                    )
                )
            }
        case .connected(let handle):
            exchange(handle, ready, at: now)
            // If the connection was lost, what it hadn't sent needs another one.
            if case .idle = phase, !queued.isEmpty { connect(at: now) }
        }
    }

    // MARK: Connecting

    private func connect(at now: MonotonicTime) {
        do throws(FleetError) {
            let handle = try PostgresHandle(address: options.address)
            guard handle.socket >= 0 else {
                failConnecting(
                    FleetError(
                        connecting: handle.failureText,
                        needsPassword: handle.needsPassword
                    )
                )
                return
            }
            // libpq demands to wait for this before the first step.
            let deadline = now.advanced(by: options.connectTimeout)
            phase = .connecting(handle, .write, until: deadline)
        } catch {
            failConnecting(error)
        }
    }

    private func continueConnecting(
        _ handle: PostgresHandle,
        until deadline: MonotonicTime,
        at now: MonotonicTime
    ) {
        switch handle.continueConnecting() {
        case .waiting(let interest): phase = .connecting(handle, interest, until: deadline)
        case .failed:
            failConnecting(
                FleetError(connecting: handle.failureText, needsPassword: handle.needsPassword)
            )
        case .connected:
            guard handle.beginPipeline(), send(Self.settings.map { $0() }, over: handle) else {
                failConnecting(FleetError(losing: handle.failureText))
                return
            }
            sent.append(.settings)
            phase = .connected(handle)
            exchange(handle, [], at: now)
        }
    }

    private func failConnecting(_ error: FleetError) {
        phase = .idle
        fail(takeQueued(), error)
    }

    // MARK: Exchanging

    private func exchange(
        _ handle: PostgresHandle,
        _ ready: SocketInterest,
        at now: MonotonicTime
    ) {
        if let limit = earliestDeadline, now >= limit {
            let seconds = options.requestTimeout.wholeSeconds
            lose(FleetError(losing: "no answer within \(seconds) seconds"))
            return
        }
        for request in takeQueued() {
            // This fails only if the connection is lost: then reading fails, too, and all requests with it.
            _ = sendPreparations(request.calls, over: handle) && send(request.calls, over: handle)
            sent.append(.request(request))
        }
        guard let isWritten = handle.flush() else {
            lose(FleetError(losing: handle.failureText))
            return
        }
        hasUnwritten = !isWritten
        guard ready.contains(.read) else { return }
        let isIntact = handle.read()
        receive(handle)
        if !isIntact { lose(FleetError(losing: handle.failureText)) }
    }

    /// Queues one transaction at the handle.
    private func send(_ calls: [PostgresCall], over handle: PostgresHandle) -> Bool {
        for call in calls {
            guard handle.send(call) else { return false }
        }
        return handle.sync()
    }

    /// Queues the preparation of the statements that this connection doesn't know, each as a
    /// transaction of its own: a failure of the request doesn't undo it.
    private func sendPreparations(_ calls: [PostgresCall], over handle: PostgresHandle) -> Bool {
        for call in calls {
            guard let name = call.statement.name, prepared.insert(name).inserted else { continue }
            guard handle.prepare(name, call.statement.sql), handle.sync() else { return false }
            sent.append(.preparation(name))
        }
        return true
    }

    /// Assigns the answers that have come.
    private func receive(_ handle: PostgresHandle) {
        while first < sent.count, let answer = handle.nextAnswer() {
            switch answer {
            case .rows(let rows): self.rows.append(rows)
            case .failed(let error): failure = failure ?? error
            case .skipped: break
            case .sync: endTransaction()
            }
        }
        if first == sent.count || first >= 256 {
            sent.removeFirst(first)
            first = 0
        }
    }

    private func endTransaction() {
        var outcome: Result<[PostgresRows], FleetError> = .success(rows)
        if let failure { outcome = .failure(failure) }
        let transaction = sent[first]
        first += 1
        rows = []
        failure = nil
        switch (transaction, outcome) {
        case (.settings, .failure(let error)): lose(error)
        case (.settings, .success): break
        case (.preparation(let name), .failure(let error)):
            prepared.remove(name)
            refusedPreparations[name] = error
        case (.preparation(let name), .success): refusedPreparations[name] = nil
        case (.request(let request), .failure(let error)):
            request.end(.failure(reason(of: error, in: request)))
            // A server that only reads has become a standby: the address may lead to another one.
            if error.sqlState == "25006" { lose(error) }
        case (.request(let request), .success): request.end(outcome)
        }
    }

    /// Why a statement isn't prepared, if that is the error: `invalid_sql_statement_name`.
    private func reason(of error: FleetError, in request: PostgresRequest) -> FleetError {
        guard error.sqlState == "26000" else { return error }
        let names = request.calls.compactMap(\.statement.name)
        return names.lazy.compactMap { self.refusedPreparations[$0] }.first ?? error
    }

    // MARK: Failing

    private var earliestDeadline: MonotonicTime? {
        for transaction in sent[first...] {
            if case .request(let request) = transaction { return request.deadline }
        }
        return nil
    }

    /// Ends the connection. What was sent fails; what is queued is sent over the next connection.
    private func lose(_ error: FleetError) {
        phase = .idle
        let error = error.code == .connectionLost ? error : FleetError(losing: error.message)
        fail(takeSent(), error)
    }

    private func fail(_ requests: [PostgresRequest], _ error: FleetError) {
        for request in requests { request.end(.failure(error)) }
    }

    private func takeQueued() -> [PostgresRequest] {
        defer { queued = [] }
        return queued
    }

    /// The requests without an answer. Forgets everything about the connection.
    private func takeSent() -> [PostgresRequest] {
        let requests = sent[first...].compactMap { transaction -> PostgresRequest? in
            guard case .request(let request) = transaction else { return nil }
            return request
        }
        sent = []
        first = 0
        rows = []
        failure = nil
        prepared = []
        refusedPreparations = [:]
        hasUnwritten = false
        return requests
    }
}
