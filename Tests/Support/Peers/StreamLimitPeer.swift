/// An HTTP/2 server over TLS that limits the concurrent streams of a connection, and counts them.
///
/// - `/item`: `done`, when the client has sent everything that it had to send.
/// - `/held`: `done`, after `/release`.
///
/// These paths are counted. The others return the counts, as in `requests=3 peak=2`:
///
/// - `/report`: at once.
/// - `/await/C/N`: when the count C is at least N.
/// - `/release`: ends the responses of `/held`, also of later requests.
/// - `/forget`: and sets all counts to zero.
///
/// The counts are `requests`, `connections`, `peak` (the most streams at once on one connection),
/// `exceeded` (streams opened beyond the limit when the client had acknowledged it), `refused`,
/// `reset` (by the client) and `held`.
package final class StreamLimitPeer: Peer {
    private static let python = Executable.python(with: "h2")
    package static var isAvailable: Bool { python != nil && Certificates.isAvailable }

    private let process: PeerProcess

    private init(_ process: PeerProcess) {
        self.process = process
    }

    /// Streams beyond the limit get `REFUSED_STREAM` if it `refuses` them, or else a response.
    package static func start(limit: Int, refuses: Bool = false) async throws -> StreamLimitPeer {
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.limitedHTTP2.path else {
                throw SupportError("Python's h2 is not installed")
            }
            let identity = certificates.server
            return [
                python, script, identity.certificate, identity.key, "\(limit)",
                refuses ? "refuse" : "accept",
            ]
        }
        return StreamLimitPeer(process)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    package func url(_ path: String) -> String { "https://localhost:\(process.ports[0])\(path)" }
}
