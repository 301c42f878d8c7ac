/// Python's httpbin on Python's own threaded HTTP/1.1 server, without TLS.
package final class HTTPBinPeer: Peer {
    package static let shared = Shared { try await HTTPBinPeer.start() }
    private static let python = Executable.python(with: "httpbin")
    package static var isAvailable: Bool { python != nil }

    private let process: PeerProcess

    private init(_ process: PeerProcess) { self.process = process }

    package static func start() async throws -> HTTPBinPeer {
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.httpbin.path else {
                throw SupportError("httpbin is not installed")
            }
            return [python, "-W", "ignore", script]
        }
        return HTTPBinPeer(process)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
