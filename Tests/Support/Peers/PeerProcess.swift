internal import CTestSupport
internal import Glibc
internal import Synchronization

/// What every peer is made of: a program on loopback, its ports, and a folder of its own.
final class PeerProcess: Sendable {
    let ports: [Int]
    let folder: TemporaryDirectory
    private let process: ChildProcess

    private init(_ process: ChildProcess, _ ports: [Int], _ folder: TemporaryDirectory) {
        (self.process, self.ports, self.folder) = (process, ports, folder)
    }

    deinit { stop() }

    var output: String { process.output }
    var id: Int32 { process.id }

    func stop() { process.stop() }

    func output(containing text: String) async throws -> String {
        try await process.output(containing: text)
    }

    /// Starts a program that must be told its ports: takes free ones, and others when the program
    /// can't have them because someone was faster. Returns when all of them accept connections.
    static func start(
        portCount: Int = 1,
        environment: [String: String] = [:],
        _ arguments: @escaping @Sendable (TemporaryDirectory, [Int]) throws -> [String]
    ) async throws -> PeerProcess {
        try await NativeThread.run("peer start") {
            var output = ""
            for _ in 0..<5 {
                let folder = try TemporaryDirectory()
                // Servers that give up their rights must still come in.
                chmod(folder.path, 0o777)
                let ports = try freePorts(portCount)
                let process = try ChildProcess(
                    arguments(folder, ports),
                    environment: environment,
                    directory: folder.path,
                    folder: folder.path
                )
                var waiting = ports
                let isReady = process.wait(atMost: .seconds(60)) {
                    waiting.removeAll { accepts($0) }
                    return waiting.isEmpty
                }
                // What accepts may be somebody else, and the program still trying.
                let isLate = process.output.contains("ddress already in use")
                if isReady, !isLate { return PeerProcess(process, ports, folder) }
                process.stop()
                output = process.output
            }
            throw SupportError("a peer didn't start: \(output)")
        }
    }

    /// Starts a program that takes a free port and says so: the number after `announcement`.
    static func start(
        announcement: String,
        environment: [String: String] = [:],
        _ arguments: @escaping @Sendable (TemporaryDirectory) throws -> [String]
    ) async throws -> PeerProcess {
        try await NativeThread.run("peer start") {
            let folder = try TemporaryDirectory()
            let process = try ChildProcess(
                arguments(folder),
                environment: environment,
                directory: folder.path,
                folder: folder.path
            )
            var port: Int?
            let isReady = process.wait(atMost: .seconds(60)) {
                port = announcedPort(process.output, announcement)
                return port != nil
            }
            guard isReady, let port else {
                throw SupportError("a peer didn't start: \(process.output)")
            }
            return PeerProcess(process, [port], folder)
        }
    }

    private static func announcedPort(_ output: String, _ announcement: String) -> Int? {
        // A line that isn't whole yet may hold but half the number.
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard let line = lines.first(where: { $0.hasPrefix(announcement) }) else { return nil }
        return Int(line.dropFirst(announcement.count).prefix { $0.isNumber })
    }

    private static func accepts(_ port: Int) -> Bool {
        let connection = ts_connect_ipv4(UInt16(port))
        guard connection >= 0 else { return false }
        close(connection)
        return true
    }

    /// Between the trial here and the program's own, nobody else of this process may have a port.
    private static let givenOut = Mutex<Set<Int>>([])

    /// Ports below those that the system gives to outgoing connections, of which tests make many.
    private static func freePorts(_ count: Int) throws -> [Int] {
        var listeners: [Int: Int32] = [:]
        defer { for listener in listeners.values { close(listener) } }
        for _ in 0..<1_000 where listeners.count < count {
            let port = Int.random(in: 12_000..<32_000)
            guard givenOut.withLock({ $0.insert(port).inserted }) else { continue }
            let listener = ts_listen_ipv4(UInt16(port))
            if listener >= 0 { listeners[port] = listener }
        }
        guard listeners.count == count else { throw SupportError("no free ports") }
        return Array(listeners.keys)
    }
}
