/// microsocks: a SOCKS5 proxy, with or without user and password.
package final class SOCKSPeer: Peer {
    package static var isAvailable: Bool { Executable.path("microsocks") != nil }

    private let process: PeerProcess

    private init(_ process: PeerProcess) { self.process = process }

    package static func start(
        user: String? = nil,
        password: String = ""
    ) async throws -> SOCKSPeer {
        guard let microsocks = Executable.path("microsocks") else {
            throw SupportError("microsocks is not installed")
        }
        let process = try await PeerProcess.start { _, ports in
            let credentials = user.map { ["-u", $0, "-P", password] } ?? []
            return [microsocks, "-i", "127.0.0.1", "-p", "\(ports[0])"] + credentials
        }
        return SOCKSPeer(process)
    }

    /// Contains a line for each connection: `client[n] 127.0.0.1: connected to host:port`.
    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }

    /// Waits until the proxy has opened a connection for a client.
    package func connected() async throws -> String {
        try await process.output(containing: "connected to")
    }
}
