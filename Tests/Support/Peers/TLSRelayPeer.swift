/// A Python relay that speaks TLS to clients and forwards the cleartext.
///
/// The test's own server receives the bytes. The relay offers HTTP/2 and HTTP/1.1 by ALPN by default.
package final class TLSRelayPeer: Peer {
    private static let python = Executable.python(with: "ssl")
    package static var isAvailable: Bool { python != nil && Certificates.isAvailable }

    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates) {
        (self.process, self.certificates) = (process, certificates)
    }

    /// - Parameters:
    ///   - port: The port that the bytes are forwarded to.
    ///   - identity: The relay's certificate and key; by default those of the test authority's
    ///     server.
    ///   - protocols: The names that are offered by ALPN.
    ///   - asksForCertificate: Whether clients must present a certificate of the test authority.
    ///   - changesChain: Whether each of the first 40 connections presents another chain. No client
    ///     has to present a certificate then.
    package static func start(
        port: Int,
        identity: (@Sendable (Certificates) -> Certificates.Identity)? = nil,
        protocols: [String] = ["h2", "http/1.1"],
        asksForCertificate: Bool = false,
        changesChain: Bool = false
    ) async throws -> TLSRelayPeer {
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.tlsRelay.path else {
                throw SupportError("Python is not installed")
            }
            let chosen = identity?(certificates) ?? certificates.server
            let authority = asksForCertificate ? [certificates.authority] : []
            let further = changesChain ? ["--changing-chain"] : authority
            return [
                python, script, chosen.certificate, chosen.key, "\(port)",
                protocols.joined(separator: ","),
            ] + further
        }
        return TLSRelayPeer(process, certificates)
    }

    /// Contains a line for each connection: `TLSv1.3 ALPN http/1.1`, or `ALPN None`.
    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }

    /// Waits until the output contains `text`.
    package func output(containing text: String) async throws -> String {
        try await process.output(containing: text)
    }
}
