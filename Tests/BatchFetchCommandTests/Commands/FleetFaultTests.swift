import Foundation
import TestSupport
import Testing

/// Fleets of processes, some of which are killed, whose database crashes or loses connections.
///
/// With `CURLNETWORKING_FULL_ROUNDS` there are more of everything.
@Suite(
    .enabled(
        if: PostgresPeer.isAvailable && ManyHostsPeer.isAvailable && CuttingProxy.isAvailable
    ),
    .timeLimit(.minutes(30)),
    .serialized
)
struct FleetFaultTests {
    /// A run of a fleet and its workers.
    private final class Fleet: Sendable {
        static let limit = 2
        /// The number of answers from one fault to the next.
        static let step = Rounds.count(250, few: 100, full: 1000)
        static let hostCount = Rounds.count(60, few: 10, full: 500)
        static let urlCount = Rounds.count(2000, few: 400, full: 50_000)
        static let workerCount = Rounds.count(8, few: 3, full: 20)

        let database: PostgresPeer
        let server: ManyHostsPeer
        let folder: TemporaryDirectory
        let urls: [String]
        private let address: String

        var output: String { folder.path("pages") }

        /// - Parameters:
        ///   - address: The database's address for the workers, if they have another one.
        ///   - pauses: The number of pauses of the server, after each step.
        init(database: PostgresPeer, address: String? = nil, pauses: Int) async throws {
            self.database = database
            self.address = address ?? database.address
            server = try await ManyHostsPeer.start(
                hosts: Self.hostCount,
                limit: Self.limit,
                step: Self.step,
                pauses: pauses
            )
            folder = try TemporaryDirectory()
            urls = (0..<Self.urlCount).map { [server] number in
                "http://\(server.host(number % Self.hostCount))/\(number)"
            }
            let list = try folder.write(urls.joined(separator: "\n"), to: "list")
            let options = ["--output", output, "--per-host", "\(Self.limit)"]
            let created = try await command(["create", "may"] + options, of: database.address)
            #expect(created.status == 0, "\(created.errors)")
            let added = try await command(["add", "may", list], of: database.address)
            #expect(added.output == "may: \(Self.urlCount) added, 0 known already\n")
        }

        private func command(
            _ arguments: [String],
            of address: String
        ) async throws -> CommandRun.Ending {
            try await CommandRun.ending(["fleet"] + arguments + ["--queue", address])
        }

        func startWorker() throws -> CommandRun {
            try CommandRun(
                [
                    "fleet", "work", "may", "--queue", address, "--lease", "2s",
                    "--concurrency", "6", "--state", folder.path("state"),
                ]
            )
        }

        func startWorkers() throws -> [CommandRun] {
            try (0..<Self.workerCount).map { _ in try startWorker() }
        }

        /// Waits for the ends of workers, and checks what they have done together.
        func check(_ workers: [CommandRun]) async throws {
            for worker in workers {
                let ending = try await worker.ending()
                #expect(ending.status == 0, "\(ending.errors)")
            }
            let exported = try await command(["export", "may"], of: database.address)
            let lines = try ResultLine.lines(exported.output)
            #expect(lines.count == urls.count)
            #expect(Set(lines.map(\.url)) == Set(urls))
            #expect(lines.allSatisfy { $0.ok })
            #expect(server.exceeded.isEmpty)
            let files = try TemporaryDirectory.files(in: output)
            #expect(files.count { !$0.contains(".part") } == urls.count)
            for line in lines {
                let url = try #require(URL(string: line.url))
                let host = try #require(url.host())
                let path = "\(output)/\(try #require(line.path))"
                let body = try String(contentsOfFile: path, encoding: .utf8)
                #expect(body == ManyHostsPeer.body(ofHost: host, path: url.path()))
            }
            let status = try await command(["status", "may", "--json"], of: database.address)
            #expect(status.output.contains("\"fetched\":\(urls.count)"))
            #expect(status.output.contains("\"pending\":0"))
            let kept = (try? TemporaryDirectory.files(in: folder.path("state"))) ?? []
            #expect(kept.isEmpty)
        }
    }

    @Test("Each URL has one result and each host its limit, though workers are killed")
    func killedWorkersLoseNothing() async throws {
        let database = try await PostgresPeer.start()
        let killCount = Fleet.urlCount / Fleet.step - 2
        let fleet = try await Fleet(database: database, pauses: killCount)
        var workers = try fleet.startWorkers()
        var generator = SeededGenerator(seed: 1)
        for kill in 1...killCount {
            // Without the pause, the workers could finish the run before the signal.
            try await fleet.server.pause(at: kill * Fleet.step) {
                let victim = Int.random(in: workers.indices, using: &generator)
                workers[victim].signal(9)
                #expect(try await workers[victim].ending().status == -9)
                workers[victim] = try fleet.startWorker()
            }
        }
        try await fleet.check(workers)
        database.stop()
    }

    @Test("Each URL has one result, though the database crashes and starts again at once")
    func crashesOfDatabaseLoseNothing() async throws {
        let database = try await PostgresPeer.start()
        let crashCount = Rounds.count(3, few: 1, full: 10)
        let fleet = try await Fleet(database: database, pauses: crashCount)
        let workers = try fleet.startWorkers()
        for crash in 1...crashCount {
            try await fleet.server.pause(at: crash * Fleet.step) {
                try await database.crash()
                try await database.restart()
            }
        }
        try await fleet.check(workers)
        database.stop()
    }

    @Test("Each URL has one result, though connections to the database are cut at any byte")
    func cutConnectionsLoseNothing() async throws {
        let database = try await PostgresPeer.start()
        let proxy = try await CuttingProxy.start(before: database, bytes: 60_000...200_000)
        let fleet = try await Fleet(database: database, address: proxy.address, pauses: 0)
        let workers = try fleet.startWorkers()
        try await fleet.check(workers)
        #expect(proxy.cutCount >= Rounds.count(3, few: 1, full: 50))
        proxy.stop()
        database.stop()
    }
}
