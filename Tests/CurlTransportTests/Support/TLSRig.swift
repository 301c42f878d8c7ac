import CurlTransport
import TestSupport

/// A server behind a relay that terminates TLS, and a transport.
struct TLSRig: Sendable {
    let server: LoopbackServer
    let relay: TLSRelayPeer
    let rig: Rig

    /// - Parameters:
    ///   - steps: What the server does on each connection; by default it echoes.
    ///   - asksForCertificate: Whether clients must present a certificate of the test authority.
    ///   - identity: The identity that the relay presents.
    init(
        _ steps: [Step] = [.converse { [.send($0)] }],
        asksForCertificate: Bool = false,
        identity: (@Sendable (Certificates) -> Certificates.Identity)? = nil
    ) async throws {
        server = try .scripted(steps)
        relay = try await TLSRelayPeer.start(
            port: server.port,
            identity: identity,
            asksForCertificate: asksForCertificate
        )
        rig = try Rig()
    }

    func stop() { relay.stop() }

    /// Starts a connection that trusts the test authority.
    @discardableResult
    func connect(
        _ recorder: ByteRecorder,
        applicationProtocol: ByteConnectionRequest.ApplicationProtocol = .unnamed,
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) throws -> ByteConnection {
        try rig.connect(
            relay.port,
            host: "localhost",
            isSecure: true,
            applicationProtocol: applicationProtocol,
            delegate: recorder
        ) { options in
            options.tls.trustRoots = .file(relay.certificates.authority)
            configure(&options)
        }
    }
}
