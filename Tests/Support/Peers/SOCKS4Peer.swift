/// A SOCKS4 and SOCKS4a proxy in Python.
package final class SOCKS4Peer: Peer {
    private static let python = Executable.python(with: "asyncio")
    package static var isAvailable: Bool { python != nil }

    private let process: PeerProcess

    private init(_ process: PeerProcess) { self.process = process }

    package static func start() async throws -> SOCKS4Peer {
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.socks4.path else {
                throw SupportError("Python is not installed")
            }
            return [python, script]
        }
        return SOCKS4Peer(process)
    }

    /// Contains a line for each connection: `connect host:port`.
    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }

    /// Waits until a client has requested a connection.
    package func connected() async throws -> String {
        try await process.output(containing: "connect ")
    }
}
