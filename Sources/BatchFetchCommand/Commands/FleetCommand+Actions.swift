import ArgumentParser
import BatchFetch
import FoundationEssentials
import Posix

#if Fleet
    import BatchFleet

    extension FleetCommand {
        /// Runs the action. Checks the arguments before it connects.
        func execute(
            _ arguments: FleetArguments,
            _ signalHandler: SignalHandler
        ) async throws -> ExitStatus {
            let others = arguments.others
            guard others.isEmpty || [.create, .add, .work].contains(action) else {
                throw ValidationError(
                    "fleet \(action.rawValue) takes a run only: remove “\(others[0])”."
                )
            }
            switch action {
            case .create: _ = try FleetArguments.run(others)
            case .work: _ = try FleetArguments.run(others, isWorker: true)
            case .add: _ = try FleetArguments.lists(others)
            default: break
            }
            if action != .work { signalHandler.onEnd { signalHandler.endProcess() } }
            do {
                // A worker and a watcher must notice soon that the database is away. Removing the
                // millions of URLs of a host may take long.
                let limit: Duration =
                    switch action {
                    case .work: .seconds(10)
                    case .status: .seconds(60)
                    default: .seconds(3600)
                    }
                let connection = try PostgresConnection(
                    PostgresOptions(address: queue, requestTimeout: limit)
                )
                defer { connection.close() }
                return try await execute(others, FleetStore(connection), signalHandler)
            } catch let error as FleetError {
                Terminal().write("batchfetch: \(error)\n")
                return error.isTemporary || error.code == .resources ? .output : .usage
            }
        }

        private func execute(
            _ others: [String],
            _ store: FleetStore,
            _ signalHandler: SignalHandler
        ) async throws -> ExitStatus {
            switch action {
            case .create: return try await create(others, store)
            case .add: return try await add(others, store)
            case .work: return try await work(others, store, signalHandler)
            default: break
            }
            try await store.checkVersion()
            let run = try await store.run(name)
            switch action {
            case .status: try await showStatus(of: run, store)
            case .pause: try await store.set(.paused, of: run)
            case .resume: try await store.set(.open, of: run)
            case .retryFailed:
                let count = try await store.retryFailed(run)
                print(NumberFormat.counted(count, "URL is", "URLs are"), "queued again")
            case .export: try await export(run, store)
            case .drop: try await store.drop(run)
            case .create, .add, .work: break
            }
            return .success
        }

        private func create(_ others: [String], _ store: FleetStore) async throws -> ExitStatus {
            do throws(FleetError) {
                try await store.install()
            } catch {
                if error.code == .refused, error.sqlState == "42501" {
                    print(FleetSchema.script)
                    Terminal().write(
                        "batchfetch: the user may not make tables: let an administrator run the "
                            + "printed SQL, grant the user the schema batchfetch, and repeat\n"
                    )
                }
                throw error
            }
            let options = String(decoding: try JSONEncoder().encode(others), as: UTF8.self)
            try await store.create(name, options: options)
            return .success
        }

        private func add(_ others: [String], _ store: FleetStore) async throws -> ExitStatus {
            let lists = try FleetArguments.lists(others)
            try await store.checkVersion()
            let run = try await store.run(name)
            let queue = try PortionQueue(lists.source.input(lists.source.files))
            defer { queue.end() }
            var adding = AddedURLs(lists.source.dedupe == .off ? .exact : lists.source.dedupe.value)
            for await portion in queue.portions {
                queue.take()
                let entries = try adding.entries(portion)
                adding.added += try await store.add(entries, to: run)
            }
            if let failure = queue.failure { throw failure }
            print("\(name): \(adding.added) added, \(adding.read - adding.added) known already")
            guard adding.malformed > 0 else { return .success }
            let lines = NumberFormat.counted(adding.malformed, "line is", "lines are")
            Terminal().write("batchfetch: \(lines) no URLs; the first: \(adding.firstProblem)\n")
            return .someFailed
        }

        private func work(
            _ others: [String],
            _ store: FleetStore,
            _ signalHandler: SignalHandler
        ) async throws -> ExitStatus {
            try await store.checkVersion()
            let run = try await store.run(name)
            guard
                let stored = try? JSONDecoder().decode([String].self, from: Data(run.options.utf8))
            else {
                throw BatchFailure(
                    .configuration,
                    "the options of the run can't be read: create it with the same batchfetch"
                )
            }
            do {
                _ = try FleetArguments.run(stored)
            } catch {
                throw ValidationError(
                    "The run “\(name)” has options that this batchfetch doesn't know: work with the "
                        + "version that created it. \(FleetCommand.message(for: error))"
                )
            }
            let fetch = try FleetArguments.run(stored + others, isWorker: true)
            var console = ConsoleRun(
                isQuiet: fetch.quiet,
                resultsPath: nil,
                signalHandler: signalHandler
            )
            console.isInsecure = fetch.security.insecure
            console.logger = fetch.watching.logLevel?.logger
            var configuration = try fetch.configuration(of: console)
            configuration.output.archiveLabel = fetch.target.archiveLabel(of: options.name)
            let worker = FleetWorker(store, run, configuration, options)
            signalHandler.onEnd { [grace = fetch.watching.grace] in
                worker.stop()
                Task {
                    try? await Task.sleep(for: grace)
                    worker.cancel()
                }
            }
            let metrics = try serveMetrics(of: worker, store, fetch)
            try await worker.work()
            withExtendedLifetime(metrics) {}
            if let signal = signalHandler.signal { return .interrupted(signal: signal) }
            let counts = try await counts(of: run, store)
            if !fetch.quiet { print(FleetText.counts(counts)) }
            return counts.failed > 0 ? .someFailed : .success
        }

        /// The counts at the end of a worker, which has survived lost connections until now.
        private func counts(
            of run: FleetRun,
            _ store: FleetStore
        ) async throws -> FleetCounts {
            for _ in 0..<20 {
                do throws(FleetError) {
                    return try await store.counts(of: run)
                } catch {
                    guard error.isTemporary else { throw error }
                }
                try await Task.sleep(for: .milliseconds(250))
            }
            return try await store.counts(of: run)
        }

        private func serveMetrics(
            of worker: FleetWorker,
            _ store: FleetStore,
            _ fetch: FetchCommand
        ) throws(BatchFailure) -> MetricsServer? {
            guard let port = fetch.watching.options.metricsPort else { return nil }
            let server = try MetricsServer(port: port) {
                PrometheusText.page(for: worker.summary, worker.figures, store.databaseFigures)
            }
            if !fetch.quiet {
                Terminal().write("batchfetch: metrics are on http://\(server.address)/metrics\n")
            }
            return server
        }

        private var options: FleetWorker.Options {
            var options = FleetWorker.Options(name: SystemBoot.hostName)
            options.waits = wait
            if let lease { options.leaseDuration = lease }
            options.stateFolder = state ?? Self.defaultState
            return options
        }

        /// The folder for results while the database is away; `nil` without a home folder.
        private static var defaultState: String? {
            // A relative path is invalid, by the XDG Base Directory Specification.
            if let folder = ProcessEnvironment.value(of: "XDG_STATE_HOME"), folder.hasPrefix("/") {
                return "\(folder)/batchfetch"
            }
            guard let home = ProcessEnvironment.value(of: "HOME"), home.hasPrefix("/") else {
                return nil
            }
            return "\(home)/.local/state/batchfetch"
        }

        private func export(_ run: FleetRun, _ store: FleetStore) async throws {
            let output = FileDescriptor(number: 1, path: "standard output", isOwned: false)
            do {
                try await store.export(run) { lines in
                    try output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
                }
            } catch let error as FileError {
                throw BatchFailure(.output, "\(error)")
            }
        }
    }

    /// What `fleet add` has read.
    private struct AddedURLs {
        private let deduplication: Deduplication
        var added = 0
        private(set) var read = 0
        private(set) var malformed = 0
        private(set) var firstProblem = ""

        init(_ deduplication: Deduplication) {
            self.deduplication = deduplication
        }

        /// The entries of a portion for the queue.
        ///
        /// - Throws: ``BatchFailure`` for what fleets can't fetch.
        mutating func entries(
            _ portion: PortionQueue.Portion
        ) throws(BatchFailure) -> [FleetEntry] {
            for result in portion.failures {
                malformed += 1
                if malformed == 1 { firstProblem = result.failure?.message ?? result.url }
            }
            var entries: [FleetEntry] = []
            for item in portion.work {
                guard !item.hasMirrors else {
                    throw BatchFailure(
                        .input,
                        "\(item.url) has mirrors, which a fleet can't use: list one of its URLs"
                    )
                }
                guard let key = item.uuid(deduplication) else {
                    throw BatchFailure(.resources, "the system's libcrypto has no SHA-256")
                }
                entries.append(
                    FleetEntry(host: item.host, key: key, url: item.url, details: item.text)
                )
            }
            read += entries.count
            return entries
        }
    }
#else
    extension FleetCommand {
        /// Reports that this program has no fleets.
        func execute(
            _ arguments: FleetArguments,
            _ signalHandler: SignalHandler
        ) async throws -> ExitStatus {
            throw ValidationError("This batchfetch was built without the package trait Fleet.")
        }
    }
#endif
