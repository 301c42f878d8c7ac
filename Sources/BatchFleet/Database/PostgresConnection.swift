internal import Posix
internal import Synchronization

/// A connection to a PostgreSQL database, with one thread for all requests.
///
/// It connects at the first request, and again at the next request after it was lost. It doesn't
/// repeat requests: after ``FleetError/Code/connectionLost`` their statements may have been
/// executed. All methods may be called on any thread. The owner must call ``close()``.
package final class PostgresConnection: Sendable {
    private struct State {
        var queued: [PostgresRequest] = []
        var isClosed = false
    }

    private let options: PostgresOptions
    private let worker: Worker
    private let state = Mutex(State())
    private let meter = Mutex(DatabaseFigures())

    /// How the database has answered so far.
    package var figures: DatabaseFigures { meter.withLock { $0 } }

    /// Starts the thread. Connects only at the first request.
    ///
    /// - Throws: ``FleetError`` with the code `resources`.
    package init(_ options: PostgresOptions) throws(FleetError) {
        self.options = options
        do throws(SystemFailure) {
            worker = try Worker(name: "fleet-database")
            try worker.start { [self] in serve() }
        } catch {
            throw FleetError(.resources, "can't start the thread for PostgreSQL: \(error)")
        }
    }

    private typealias Outcome = Result<[PostgresRows], FleetError>

    /// Runs statements in one transaction, in one round trip.
    ///
    /// - Returns: The rows of each statement.
    /// - Throws: ``FleetError``. If the server refused a statement, none had an effect.
    package func run(_ calls: PostgresCall...) async throws(FleetError) -> [PostgresRows] {
        try await run(calls)
    }

    /// Runs statements in one transaction, in one round trip.
    ///
    /// - Returns: The rows of each statement.
    /// - Throws: ``FleetError``. If the server refused a statement, none had an effect.
    package func run(_ calls: [PostgresCall]) async throws(FleetError) -> [PostgresRows] {
        try await outcome(of: calls).get()
    }

    private func outcome(of calls: [PostgresCall]) async -> Outcome {
        let start = MonotonicTime.now
        let deadline = start.advanced(by: options.requestTimeout)
        let outcome: Outcome = await withCheckedContinuation { continuation in
            submit(
                PostgresRequest(calls: calls, deadline: deadline) {
                    continuation.resume(returning: $0)
                }
            )
        }
        let duration = Duration.nanoseconds(MonotonicTime.now.nanoseconds(since: start))
        var failure: FleetError?
        if case .failure(let error) = outcome { failure = error }
        meter.withLock { $0.add(failure, after: duration) }
        return outcome
    }

    /// Runs transactions that don't depend on each other, all in one round trip.
    ///
    /// - Returns: The rows of each statement of each transaction, in order.
    /// - Throws: ``FleetError``, the first one. The other transactions may have had an effect.
    package func run(
        transactions: [[PostgresCall]]
    ) async throws(FleetError) -> [[PostgresRows]] {
        let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, calls) in transactions.enumerated() {
                // With `do throws` in this closure, Swift 6.3's optimiser mixes up the indices.
                group.addTask { (index, await self.outcome(of: calls)) }
            }
            var outcomes = [Outcome](repeating: .success([]), count: transactions.count)
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
        var answers: [[PostgresRows]] = []
        for outcome in outcomes { answers.append(try outcome.get()) }
        return answers
    }

    /// Closes the connection. Waits for the thread, which doesn't wait for the server.
    ///
    /// Requests without an answer fail with the code `closed`, as later ones do.
    package func close() {
        state.withLock { $0.isClosed = true }
        worker.end()
    }

    private func submit(_ request: PostgresRequest) {
        let isQueued = state.withLock { state in
            guard !state.isClosed else { return false }
            state.queued.append(request)
            return true
        }
        if isQueued {
            worker.wake()
        } else {
            request.end(.failure(FleetError(.closed, "the connection to PostgreSQL is closed")))
        }
    }

    /// The thread: until ``close()``.
    private func serve() {
        let session = PostgresSession(options)
        var ready: SocketInterest = []
        while true {
            let (requests, isClosed) = take()
            session.add(requests)
            if isClosed {
                session.close()
                return
            }
            session.advance(ready, at: .now)
            let waiting = session.waiting
            ready = Wakeup.wait(
                on: worker.descriptor,
                orSocket: waiting.socket,
                for: waiting.interest,
                until: waiting.deadline
            )
        }
    }

    private func take() -> (requests: [PostgresRequest], isClosed: Bool) {
        state.withLock { state in
            defer { state.queued = [] }
            return (requests: state.queued, isClosed: state.isClosed)
        }
    }
}
