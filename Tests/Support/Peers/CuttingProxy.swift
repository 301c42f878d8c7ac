/// A proxy before a PostgreSQL server that cuts each connection after a random number of bytes.
package final class CuttingProxy: Peer {
    private static let python = Executable.python(with: "asyncio")
    package static var isAvailable: Bool { python != nil }

    private let process: PeerProcess

    private init(_ process: PeerProcess) { self.process = process }

    /// - Parameter bytes: The numbers of bytes, of both directions together, after which a
    ///   connection may be cut.
    package static func start(
        before server: PostgresPeer,
        bytes: ClosedRange<Int>
    ) async throws -> CuttingProxy {
        let target = server.socketPath
        let process = try await PeerProcess.start(announcement: "PORT ") { folder in
            guard let python, let script = Script.cuttingProxy.path else {
                throw SupportError("Python is not installed")
            }
            let numbers = ["\(bytes.lowerBound)", "\(bytes.upperBound)"]
            return [python, script, folder.path(PostgresPeer.socketName), target] + numbers
        }
        return CuttingProxy(process)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    /// The address of the database `postgres` for libpq.
    package var address: String { "host=\(process.folder.path) user=postgres dbname=postgres" }

    /// The number of connections that were cut.
    package var cutCount: Int {
        output.split(separator: "\n").count { $0.hasPrefix("cut ") }
    }
}
