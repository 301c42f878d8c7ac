/// `openssl s_server -www`, for tests of TLS versions, ciphers and resumption.
///
/// It serves one connection at a time, each with a page that describes the TLS session.
package final class OpenSSLPeer: Peer {
    package static var isAvailable: Bool { Certificates.isAvailable }

    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates) {
        (self.process, self.certificates) = (process, certificates)
    }

    /// Further arguments are passed to s_server, for instance `-tls1_2` or `-cipher NAME`.
    package static func start(_ further: [String] = []) async throws -> OpenSSLPeer {
        guard let openssl = Executable.path("openssl") else {
            throw SupportError("openssl is not installed")
        }
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let identity = certificates.server
        let process = try await PeerProcess.start(announcement: "ACCEPT 127.0.0.1:") { _ in
            [
                openssl, "s_server", "-accept", "127.0.0.1:0", "-www", "-cert",
                identity.certificate, "-key", identity.key,
            ] + further
        }
        return OpenSSLPeer(process, certificates)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }
    package var url: String { "https://localhost:\(port)/" }
}
