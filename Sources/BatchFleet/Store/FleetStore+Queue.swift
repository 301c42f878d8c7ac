internal import BatchFetch
internal import Posix

/// The queues of hosts: adding URLs, leases and results.
extension FleetStore {
    /// The time between the end of a lease and the next one, in which its owner aborts requests.
    static func pause(after lease: Duration) -> Duration { min(lease, .seconds(2)) }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.wholeNanoseconds) / 1_000_000_000
    }

    /// Adds URLs to a run, and leaves out those that it has. Returns the number of new ones.
    ///
    /// - Parameter entries: Some hundreds or thousands.
    /// - Throws: ``FleetError`` with the code `run` if the run was dropped, or is being dropped.
    package func add(
        _ entries: [FleetEntry],
        to run: FleetRun
    ) async throws(FleetError) -> Int {
        guard !entries.isEmpty else { return 0 }
        let hosts = PostgresValue.texts(entries.map(\.host))
        let rows = try await connection.run(
            FleetStatements.lockRun(.integer(run.id)),
            FleetStatements.addHosts(.integer(run.id), hosts),
            FleetStatements.addURLs(
                .integer(run.id),
                hosts,
                .literals(entries.map(\.key)),
                .texts(entries.map(\.url)),
                .texts(entries.map(\.details))
            )
        )
        try Self.checkExistence(of: run, rows[0])
        return rows[2].integer(0, 0) ?? 0
    }

    /// Makes a worker known. Returns its number.
    package func register(
        worker name: String,
        for run: FleetRun
    ) async throws(FleetError) -> Int {
        let insert = PostgresStatement(
            "INSERT INTO batchfetch.worker (run, name) VALUES ($1, $2) RETURNING id"
        )
        let rows = try await connection.run(insert(.integer(run.id), .text(name)))[0]
        guard let id = rows.integer(0, 0) else {
            throw FleetError(.run, "the worker of the run “\(run.name)” got no number")
        }
        return id
    }

    /// Leases hosts with pending URLs that no other worker holds. None in a paused or closed run.
    ///
    /// The lease lasts from the moment at which the database executes it. A worker counts the time
    /// from before this call on its own clock since boot, so it never believes to hold a host for
    /// longer than the database does.
    package func lease(
        _ maximum: Int,
        of run: FleetRun,
        for worker: Int,
        lasting duration: Duration
    ) async throws(FleetError) -> [LeasedHost] {
        let rows = try await connection.run(
            FleetStatements.lease(
                .integer(run.id),
                .integer(worker),
                .integer(maximum),
                .real(Self.seconds(duration)),
                .real(Self.seconds(Self.pause(after: duration)))
            )
        )[0]
        return (0..<rows.count).compactMap { row in
            guard let host = rows.integer(row, 0), let token = rows.integer(row, 1),
                let name = rows[row, 2], let pending = rows.integer(row, 3)
            else { return nil }
            return LeasedHost(
                lease: HostLease(host: host, token: token),
                name: name,
                pending: pending,
                feedback: rows[row, 4],
                robots: Self.robots(rows[row, 5], seconds: rows[row, 6]),
                losses: rows.integer(row, 7) ?? 0
            )
        }
    }

    private static func robots(_ text: String?, seconds: String?) -> RobotsHandover? {
        guard let text, let seconds = seconds.flatMap({ Double($0) }), seconds.isFinite else {
            return nil
        }
        return RobotsHandover(text: text, lifetime: .seconds(min(max(seconds, 0), 1e9)))
    }

    /// Extends leases, and notes the worker's progress. Returns the leases that hold; the others
    /// are lost for good.
    ///
    /// - Parameter intervals: The minimum times between two requests to hosts. The next owner waits
    ///   so long after the end of a lease, too.
    /// - Throws: ``FleetError`` with the code `run` if the run was dropped, or is being dropped.
    package func renew(
        _ leases: [HostLease],
        of run: FleetRun,
        for worker: Int,
        lasting duration: Duration,
        intervals: [HostLease: Duration] = [:]
    ) async throws(FleetError) -> Set<HostLease> {
        let pause = Self.pause(after: duration)
        let pauses = leases.map { max(pause, intervals[$0] ?? .zero) }
        let hosts = PostgresValue.integers(leases.map(\.host))
        let tokens = PostgresValue.integers(leases.map(\.token))
        let rows = try await connection.run(
            FleetStatements.lock(.integer(run.id), hosts, tokens, .texts([])),
            FleetStatements.renew(
                hosts,
                tokens,
                .real(Self.seconds(duration)),
                .reals(pauses.map { Self.seconds($0) }),
                .integer(worker)
            ),
            StatusStatements.sample(.integer(worker)),
            FleetStatements.state(.integer(run.id))
        )
        try Self.checkExistence(of: run, rows[3])
        return held(leases, rows[1])
    }

    /// Throws if the run was dropped, or is being dropped.
    ///
    /// A drop closes the run, and then removes its hosts one after the other. Without this, the
    /// run would look done between the last host and the run's own row.
    ///
    /// - Parameter state: What ``FleetStatements/state`` returned.
    static func checkExistence(
        of run: FleetRun,
        _ state: PostgresRows
    ) throws(FleetError) {
        guard let state = state.count == 0 ? nil : state[0, 0] else {
            throw FleetError(.run, "the run “\(run.name)” was dropped")
        }
        guard state != FleetRun.State.closed.rawValue else {
            throw FleetError(
                .run,
                "the run “\(run.name)” is being dropped: repeat fleet drop if that was interrupted"
            )
        }
    }

    /// The next URLs of leased hosts. None in a paused or closed run.
    package func slice(
        _ bounds: [HostLease: SliceBounds]
    ) async throws(FleetError) -> [QueuedURL] {
        let slices = Array(bounds)
        let rows = try await connection.run(
            FleetStatements.slice(
                .integers(slices.map(\.key.host)),
                .integers(slices.map(\.key.token)),
                .literals(slices.map(\.value.position.due)),
                .integers(slices.map(\.value.position.ordinal)),
                .integers(slices.map(\.value.limit))
            )
        )[0]
        return (0..<rows.count).compactMap { row in
            guard let host = rows.integer(row, 0), let key = rows[row, 1], let due = rows[row, 2],
                let ordinal = rows.integer(row, 3), let url = rows[row, 5]
            else { return nil }
            return QueuedURL(
                host: host,
                key: key,
                position: QueuePosition(due: due, ordinal: ordinal),
                attempts: rows.integer(row, 4) ?? 0,
                url: url,
                details: rows[row, 6],
                losses: rows.integer(row, 7) ?? 0,
                place: rows[row, 8]
            )
        }
    }

    /// Notes that a worker takes URLs, for the case that it dies: ``QueuedURL/losses``.
    ///
    /// - Returns: The leases that held. Nothing of the others was noted.
    package func noteTaken(
        _ urls: [(lease: HostLease, key: String)],
        of run: FleetRun
    ) async throws(FleetError) -> Set<HostLease> {
        let leases = Array(Set(urls.map { $0.lease }))
        let rows = try await connection.run(
            FleetStatements.lock(
                .integer(run.id),
                .integers(leases.map(\.host)),
                .integers(leases.map(\.token)),
                .texts([])
            ),
            FleetStatements.findByKey(),
            FleetStatements.noteTaken(
                .integers(urls.map { $0.lease.host }),
                .integers(urls.map { $0.lease.token }),
                .literals(urls.map { $0.key })
            )
        )
        return held(leases, rows[0])
    }

    /// Stores what a worker has done with the hosts whose leases hold.
    ///
    /// A repeated report has no further effect: a URL keeps its first result.
    ///
    /// - Returns: The leases that held. Nothing of the others was stored.
    package func accept(
        _ report: FleetReport,
        of run: FleetRun,
        from worker: Int
    ) async throws(FleetError) -> Set<HostLease> {
        let leases = report.leases
        guard !leases.isEmpty else { return [] }
        let targets = Set(report.moves.map(\.target)).sorted()
        if !targets.isEmpty {
            // A transaction of its own: the next one locks all hosts in order.
            _ = try await connection.run(
                FleetStatements.lockRun(.integer(run.id)),
                FleetStatements.addHosts(.integer(run.id), .texts(targets))
            )
        }
        let lock = FleetStatements.lock(
            .integer(run.id),
            .integers(leases.map(\.host)),
            .integers(leases.map(\.token)),
            .texts(targets)
        )
        let rows = try await connection.run([lock] + calls(report, run, worker))
        return held(leases, rows[0])
    }

    private func calls(_ report: FleetReport, _ run: FleetRun, _ worker: Int) -> [PostgresCall] {
        var calls = callsByKey(report, run, worker)
        if !calls.isEmpty { calls.insert(FleetStatements.findByKey(), at: 0) }
        if !report.feedback.isEmpty {
            calls.append(
                FleetStatements.setFeedback(
                    .integers(report.feedback.map(\.lease.host)),
                    .integers(report.feedback.map(\.lease.token)),
                    .reals(report.feedback.map { Self.seconds($0.delay) }),
                    .texts(report.feedback.map(\.state)),
                    .texts(report.feedback.map(\.robots)),
                    .reals(report.feedback.map { Self.seconds($0.robotsLifetime) })
                )
            )
        }
        if !report.returned.isEmpty {
            if !calls.isEmpty { calls.append(FleetStatements.findInOrder()) }
            calls.append(
                FleetStatements.giveBack(
                    .integers(report.returned.map(\.host)),
                    .integers(report.returned.map(\.token))
                )
            )
        }
        return calls
    }

    /// The calls of statements that find URLs by their keys.
    private func callsByKey(
        _ report: FleetReport,
        _ run: FleetRun,
        _ worker: Int
    ) -> [PostgresCall] {
        var (placed, others) = (AcceptedColumns(), AcceptedColumns())
        for completion in report.completions {
            if completion.isFetched, completion.place != nil {
                placed.append(completion)
            } else {
                others.append(completion)
            }
        }
        var calls: [PostgresCall] = []
        if let values = placed.values(worker) {
            calls.append(FleetStatements.acceptFetched(values + [.literals(placed.places)]))
        }
        if let values = others.values(worker) { calls.append(FleetStatements.accept(values)) }
        if !report.postponements.isEmpty {
            calls.append(
                FleetStatements.postpone(
                    .integers(report.postponements.map(\.lease.host)),
                    .integers(report.postponements.map(\.lease.token)),
                    .literals(report.postponements.map(\.key)),
                    .integers(report.postponements.map(\.attempts)),
                    .reals(report.postponements.map { Self.seconds($0.delay) }),
                    .texts(report.postponements.map(\.details))
                )
            )
        }
        if !report.moves.isEmpty {
            calls.append(
                FleetStatements.move(
                    .integer(run.id),
                    .integers(report.moves.map(\.lease.host)),
                    .integers(report.moves.map(\.lease.token)),
                    .literals(report.moves.map(\.key)),
                    .texts(report.moves.map(\.target)),
                    .texts(report.moves.map(\.url)),
                    .texts(report.moves.map(\.details)),
                    .reals(report.moves.map { Self.seconds($0.delay) })
                )
            )
        }
        return calls
    }

    /// The leases whose hosts and tokens are in the first two columns.
    private func held(_ leases: [HostLease], _ rows: PostgresRows) -> Set<HostLease> {
        var held: Set<HostLease> = []
        for row in 0..<rows.count {
            guard let host = rows.integer(row, 0), let token = rows.integer(row, 1) else {
                continue
            }
            held.insert(HostLease(host: host, token: token))
        }
        return held.intersection(leases)
    }

    /// The time until a host can be leased; `nil` if the run has no pending URL, so is done.
    ///
    /// - Throws: ``FleetError`` with the code `run` if the run was dropped, or is being dropped.
    package func nextAvailable(in run: FleetRun) async throws(FleetError) -> Duration? {
        let rows = try await connection.run(
            FleetStatements.nextAvailable(.integer(run.id)),
            FleetStatements.state(.integer(run.id))
        )
        try Self.checkExistence(of: run, rows[1])
        return rows[0][0, 0].flatMap { Double($0) }.map { Duration.seconds($0) }
    }
}

/// Results as the parameters of ``FleetStatements/accept``.
private struct AcceptedColumns {
    private var hosts: [Int] = []
    private var tokens: [Int] = []
    private var keys: [String] = []
    private var states: [Int] = []
    private var lines: [String?] = []
    /// The places of the results that have one.
    private(set) var places: [String] = []

    mutating func append(_ completion: FleetReport.Completion) {
        hosts.append(completion.lease.host)
        tokens.append(completion.lease.token)
        keys.append(completion.key)
        states.append(completion.isFetched ? 1 : 2)
        lines.append(completion.line)
        if let place = completion.place { places.append(place) }
    }

    /// The values in the order of the parameters; `nil` if there are no results.
    func values(_ worker: Int) -> [PostgresValue]? {
        guard !hosts.isEmpty else { return nil }
        return [
            .integers(hosts), .integers(tokens), .literals(keys), .integers(states), .texts(lines),
            .integer(worker),
        ]
    }
}
