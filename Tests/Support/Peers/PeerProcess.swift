internal import CTestSupport
internal import Glibc
internal import Synchronization

/// A peer's program on loopback, its ports, and its own folder.
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

    /// Starts a program that takes its ports as arguments: chooses free ports, and others if
    /// another program has bound them meanwhile. Returns when all of them accept connections.
    static func start(
        portCount: Int = 1,
        environment: [String: String] = [:],
        _ arguments: @escaping @Sendable (TemporaryDirectory, [Int]) throws -> [String]
    ) async throws -> PeerProcess {
        try await NativeThread.run("peer start") {
            var output = ""
            for _ in 0..<5 {
                let folder = try TemporaryDirectory()
                // Servers that drop their privileges must still have access.
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
                // Another program may accept the connections while this one still tries to bind.
                let isLate = process.output.contains("ddress already in use")
                if isReady, !isLate { return PeerProcess(process, ports, folder) }
                process.stop()
                output = process.output
            }
            throw SupportError("a peer didn't start: \(output)")
        }
    }

    /// Starts a program that chooses a free port and prints it: the number after `announcement`.
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
        // An incomplete line may contain only part of the number.
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

    /// The ports that this process has chosen. It chooses none a second time, because the program
    /// may not have bound it yet.
    private static let givenOut = Mutex<Set<Int>>([])

    /// Chooses ports below the range of outgoing connections, of which tests open many.
    private static func freePorts(_ count: Int) throws -> [Int] {
        var ports: [Int] = []
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        for _ in 0..<1_000 where ports.count < count {
            let port = Int.random(in: 12_000..<32_000)
            guard givenOut.withLock({ $0.insert(port).inserted }) else { continue }
            // HTTP/3 uses the same number for UDP.
            let both = [ts_listen_ipv4(UInt16(port)), ts_bind_udp_ipv4(UInt16(port))]
            sockets += both.filter { $0 >= 0 }
            if both.allSatisfy({ $0 >= 0 }) { ports.append(port) }
        }
        guard ports.count == count else { throw SupportError("no free ports") }
        return ports
    }
}
