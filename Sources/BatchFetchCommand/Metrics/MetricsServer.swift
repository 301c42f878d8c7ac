import BatchFetch
import Posix

/// Serves a run's metrics on the loopback interface, on a dedicated thread.
///
/// Each connection gets one page, whatever it requests, and is closed.
final class MetricsServer: Sendable {
    /// The maximum number of connections at once.
    private static let mostConnections = 64

    private let server: LocalServer

    /// Listens on a port of 127.0.0.1, which the system chooses for 0.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if it can't listen on the port.
    init(
        port: UInt16,
        page: @escaping @Sendable () -> String
    ) throws(BatchFailure) {
        do throws(SystemFailure) {
            server = try LocalServer(name: "metrics", port: port, limit: Self.mostConnections) {
                MetricsConnection($0, page: page)
            }
        } catch {
            throw BatchFailure(.configuration, "can't serve metrics on port \(port): \(error)")
        }
    }

    /// `127.0.0.1:port`
    var address: String { "127.0.0.1:\(server.port)" }

    /// Parses `127.0.0.1:port`, `localhost:port` or `port`.
    ///
    /// `nil` for any other host: metrics are not exposed to the network.
    static func port(of address: String) -> UInt16? {
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        guard
            parts.count == 1 || (parts.count == 2 && ["127.0.0.1", "localhost"].contains(parts[0]))
        else { return nil }
        return parts.last.flatMap { UInt16($0) }
    }
}

/// One connection of a ``MetricsServer``: answers every request with one page.
struct MetricsConnection: LocalConnection {
    let descriptor: Int32
    let page: @Sendable () -> String
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var sent = 0

    init(_ descriptor: Int32, page: @escaping @Sendable () -> String) {
        self.descriptor = descriptor
        self.page = page
    }

    mutating func advance() -> ConnectionStep {
        while output.isEmpty {
            guard input.count <= RequestHead.longest else { return .ended }
            switch LoopbackSocket.receive(descriptor, appendingTo: &input, upTo: 4096) {
            case .moved: break
            case .wouldBlock: return .waits(.read)
            case .ended: return .ended
            }
            if RequestHead.end(in: input) != nil { output = Self.response(page()) }
        }
        while sent < output.count {
            switch LoopbackSocket.send(descriptor, output.span.extracting(sent...)) {
            case .moved(let count): sent += count
            case .wouldBlock: return .waits(.write)
            case .ended: return .ended
            }
        }
        return .ended
    }

    private static func response(_ page: String) -> [UInt8] {
        let head = """
            HTTP/1.1 200 OK\r
            Content-Type: text/plain; version=0.0.4; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            Connection: close\r
            \r

            """
        return Array((head + page).utf8)
    }
}
