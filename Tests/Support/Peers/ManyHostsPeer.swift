internal import Glibc

/// An HTTP server on many addresses of loopback, which counts the concurrent requests of each.
package final class ManyHostsPeer: Peer {
    private static let python = Executable.python(with: "asyncio")
    package static var isAvailable: Bool { python != nil }

    private let process: PeerProcess

    private init(_ process: PeerProcess) { self.process = process }

    /// - Parameters:
    ///   - limit: The most concurrent requests that a host may get.
    ///   - step: The number of answers from one pause to the next.
    ///   - pauses: The number of pauses. After the last one all requests are answered.
    package static func start(
        hosts: Int,
        limit: Int,
        step: Int,
        pauses: Int
    ) async throws -> ManyHostsPeer {
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.manyHosts.path else {
                throw SupportError("Python is not installed")
            }
            return [python, script, "\(hosts)", "\(limit)", "\(step)", "\(pauses)"]
        }
        return ManyHostsPeer(process)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    /// The name of a host with its port.
    package func host(_ number: Int) -> String {
        "127.1.\(number / 250).\(1 + number % 250):\(process.ports[0])"
    }

    /// The body of a URL.
    package static func body(ofHost host: String, path: String) -> String {
        let address = host.prefix { $0 != ":" }
        return String(repeating: "\(address)\(path)\n", count: 50)
    }

    /// Waits until the server has sent this many answers, a multiple of the step, and calls the
    /// closure while the server sends none.
    package func pause(at count: Int, _ action: () async throws -> Void) async throws {
        _ = try await process.output(containing: "paused at \(count)\n")
        try await action()
        kill(processID, SIGUSR1)
    }

    /// The hosts that got more requests at once than they may.
    package var exceeded: [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("exceeded ") }.map { String($0) }
    }
}
