/// A relay in Python that speaks TLS to its clients and passes the bytes on, in the clear, to a server of
/// the test's own. It offers HTTP/2 and HTTP/1.1 to those who ask.
package final class TLSRelayPeer: Peer {
    private static let python = Executable.python(with: "ssl")
    package static var isAvailable: Bool { python != nil && Certificates.isAvailable }

    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates) {
        (self.process, self.certificates) = (process, certificates)
    }

    /// - Parameters:
    ///   - port: Where the bytes go.
    ///   - identity: What the relay says who it is; the test authority's server if it isn't told.
    ///   - asksForCertificate: Whether clients must have a certificate of the test authority.
    package static func start(
        port: Int,
        identity: (@Sendable (Certificates) -> Certificates.Identity)? = nil,
        asksForCertificate: Bool = false
    ) async throws -> TLSRelayPeer {
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.tlsRelay.path else {
                throw SupportError("Python is not installed")
            }
            let chosen = identity?(certificates) ?? certificates.server
            let authority = asksForCertificate ? [certificates.authority] : []
            return [python, script, chosen.certificate, chosen.key, "\(port)"] + authority
        }
        return TLSRelayPeer(process, certificates)
    }

    /// Holds a line for each connection: `TLSv1.3 ALPN http/1.1`, or `ALPN None`.
    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }

    /// Waits until so much was told.
    package func output(containing text: String) async throws -> String {
        try await process.output(containing: text)
    }
}
