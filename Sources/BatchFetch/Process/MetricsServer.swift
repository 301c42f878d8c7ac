import Curl

/// Shows a run's figures on the loopback interface, on a thread of its own: each connection is given
/// one page, whatever it asks for, and closed.
package final class MetricsServer: Sendable {
    /// More connections at once aren't served.
    private static let mostConnections = 64

    private let server: LocalServer

    /// Listens on a port of 127.0.0.1, which the system chooses for 0.
    package init(
        port: UInt16,
        page: @escaping @Sendable () -> String
    ) throws(BatchFailure) {
        do throws(SystemFailure) {
            server = try LocalServer(name: "metrics", port: port, limit: Self.mostConnections) {
                MetricsConnection($0, page: page)
            }
        } catch {
            throw BatchFailure(.configuration, "metrics can't be shown on port \(port): \(error)")
        }
    }

    /// `127.0.0.1:port`
    package var address: String { "127.0.0.1:\(server.port)" }

    /// The port of `127.0.0.1:port`, `localhost:port` or `port`; `nil` for another host: figures of
    /// a run are not for the network.
    package static func port(of address: String) -> UInt16? {
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        guard
            parts.count == 1 || (parts.count == 2 && ["127.0.0.1", "localhost"].contains(parts[0]))
        else { return nil }
        return parts.last.flatMap { UInt16($0) }
    }
}
