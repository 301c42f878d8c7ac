/// An HTTP/3 server that misbehaves on request.
///
/// The request's path selects the fault:
///
/// - `/unfinished?key=K`: a head without a content-length, 10,000 bytes, and no end.
/// - `/finish?key=K`: ends that response, and answers.
/// - `/reset?key=K&code=C`: resets that response's stream with the code C (`0x100`, the default, is
///   `H3_NO_ERROR`), and answers.
/// - `/close?key=K&code=C`: closes that response's connection; answers if there is none.
/// - `/refused-once?key=K`: `H3_REQUEST_REJECTED` for the first request with the key, then `done`.
/// - `/trailers`: 10,000 bytes, then the trailer `x-checksum: 123`.
/// - Any other path: `done`.
///
/// It listens only on UDP.
package final class FaultyHTTP3Peer: Peer {
    package static let shared = Shared { try await FaultyHTTP3Peer.start() }
    private static let python = Executable.python(with: "aioquic")
    package static var isAvailable: Bool { python != nil && Certificates.isAvailable }

    private let process: PeerProcess

    private init(_ process: PeerProcess) {
        self.process = process
    }

    package static func start() async throws -> FaultyHTTP3Peer {
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.faultyHTTP3.path else {
                throw SupportError("Python's aioquic is not installed")
            }
            return [python, script, certificates.server.certificate, certificates.server.key]
        }
        return FaultyHTTP3Peer(process)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    package func url(_ path: String) -> String { "https://localhost:\(process.ports[0])\(path)" }
}
