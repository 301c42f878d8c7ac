internal import Foundation
internal import Glibc
internal import Synchronization

/// A PostgreSQL server of the test's own, on a Unix socket in its own folder.
///
/// The server refuses to run as root: then it runs as Debian's user `postgres`.
package final class PostgresPeer: Sendable {
    private let folder: TemporaryDirectory
    private let process: Mutex<ChildProcess?>
    private let arguments: [String]

    /// The folder of the newest installed version's programs.
    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map {
            "\(root)/\($0)/bin"
        }
        return folders.first { folder in
            ["postgres", "initdb", "psql"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
        }
    }()

    /// The start of a command that another user runs.
    private static var userChange: [String]? {
        guard geteuid() == 0 else { return [] }
        guard let program = Executable.path("setpriv"), getpwnam("postgres") != nil else {
            return nil
        }
        return [program, "--reuid=postgres", "--regid=postgres", "--init-groups"]
    }

    /// The user that owns the server's files; `nil` if there is none.
    package static var userID: UInt32? {
        guard geteuid() == 0 else { return geteuid() }
        return getpwnam("postgres").map { $0.pointee.pw_uid }
    }

    /// Whether its programs and its user exist: for `.enabled(if:)`.
    package static var isAvailable: Bool { programs != nil && userChange != nil }

    private init(_ folder: TemporaryDirectory, _ process: ChildProcess, _ arguments: [String]) {
        self.folder = folder
        self.process = Mutex(process)
        self.arguments = arguments
    }

    deinit { stop() }

    /// The name of the socket in its folder.
    static let socketName = ".s.PGSQL.5432"

    /// The path of the server's socket.
    var socketPath: String { folder.path(Self.socketName) }

    /// The address of the database `postgres` for libpq.
    package var address: String { address(user: "postgres") }

    /// The address of a database for libpq. The server trusts each user.
    package func address(user: String, database: String = "postgres") -> String {
        "host=\(folder.path) user=\(user) dbname=\(database)"
    }

    /// Makes a database cluster and starts its server. Returns when it accepts connections.
    package static func start() async throws -> PostgresPeer {
        try await NativeThread.run("peer start") {
            guard let programs, let userChange else {
                throw SupportError("PostgreSQL isn't installed")
            }
            let folder = try TemporaryDirectory()
            chmod(folder.path, 0o777)
            let made = try ChildProcess.run(
                userChange + [
                    "\(programs)/initdb", "--pgdata", folder.path("data"), "--no-sync",
                    "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C",
                ],
                directory: folder.path
            )
            guard made.status == 0 else { throw SupportError("initdb failed: \(made.output)") }
            let arguments =
                userChange + [
                    "\(programs)/postgres", "-D", folder.path("data"), "-k", folder.path,
                    "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=32MB",
                ]
            let process = try run(arguments, in: folder)
            return PostgresPeer(folder, process, arguments)
        }
    }

    /// Runs a statement with `psql`, and returns its rows without alignment. Blocks.
    package func query(_ sql: String) throws -> String {
        guard let programs = Self.programs else { throw SupportError("there is no psql") }
        let result = try ChildProcess.run([
            "\(programs)/psql", "-X", "-h", folder.path, "-U", "postgres", "-Atqc", sql,
        ])
        guard result.status == 0 else { throw SupportError("psql failed: \(result.output)") }
        return result.output.trimmingCharacters(in: .newlines)
    }

    private static func run(
        _ arguments: [String],
        in folder: TemporaryDirectory
    ) throws -> ChildProcess {
        let process = try ChildProcess(arguments, directory: folder.path, folder: folder.path)
        let isReady = process.wait(atMost: .seconds(60)) {
            process.output.contains("database system is ready to accept connections")
        }
        guard isReady else { throw SupportError("PostgreSQL didn't start: \(process.output)") }
        return process
    }

    /// Ends the server as a crash does: open transactions are lost, clients aren't notified.
    package func crash() async throws {
        try await NativeThread.run("peer crash") { [self] in
            let process = self.process.withLock { process in
                defer { process = nil }
                return process
            }
            guard let process else { return }
            kill(process.id, SIGQUIT)
            _ = process.waitForEnd(atMost: .seconds(60))
        }
    }

    /// Starts the server again after ``crash()``.
    package func restart() async throws {
        try await NativeThread.run("peer restart") { [self] in
            let process = try Self.run(arguments, in: folder)
            self.process.withLock { $0 = process }
        }
    }

    package func stop() {
        let process = self.process.withLock { process in
            defer { process = nil }
            return process
        }
        process?.stop()
    }
}
