import BatchFetch
import BatchFleet
import TestSupport

extension FleetFixture {
    /// Adds URLs to the run.
    func add(_ urls: [String]) async throws {
        let entries = try await NativeThread.run {
            let entries = Watched<[FleetEntry]>([])
            try BatchInput.urls(urls).readWork { work, failures in
                entries.update { entries in
                    entries += work.map { item in
                        FleetEntry(
                            host: item.host,
                            key: item.uuid(.exact) ?? "",
                            url: item.url,
                            details: item.text
                        )
                    }
                }
                return failures.isEmpty
            }
            return entries.read { $0 }
        }
        var count = 0
        for start in stride(from: 0, to: entries.count, by: 1000) {
            count += try await store.add(Array(entries[start...].prefix(1000)), to: run)
        }
        guard count == urls.count else { throw SupportError("only \(count) URLs were added") }
    }

    /// Runs `body` with a worker, which must end in it.
    ///
    /// - Parameter address: That of the database, or of a proxy before it.
    func work(
        _ name: String,
        address: String? = nil,
        concurrency: Int = 16,
        perHost: Int = 2,
        obeysRobots: Bool = false,
        lease: Duration = .seconds(30),
        state: String? = nil,
        warnings: Watched<[String]>? = nil,
        _ body: (FleetWorker) async throws -> Void
    ) async throws {
        let connection = try PostgresConnection(
            PostgresOptions(address: address ?? peer.address)
        )
        defer { connection.close() }
        var configuration = BatchConfiguration(
            concurrency: concurrency,
            concurrencyPerHost: perHost
        )
        configuration.politeness.obeysRobots = obeysRobots
        configuration.onWarning = { text in warnings?.update { $0.append(text) } }
        var options = FleetWorker.Options(name: name)
        options.pollInterval = .milliseconds(20)
        options.leaseDuration = lease
        options.stateFolder = state
        try await body(FleetWorker(FleetStore(connection), run, configuration, options))
    }
}
