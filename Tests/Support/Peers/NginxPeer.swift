internal import Foundation

/// nginx: one site on several kinds of ports.
///
/// It serves files and fixed locations (see `NginxPeer+Configuration.swift`).
package final class NginxPeer: Peer {
    /// The kinds of ports. All except `.http` speak TLS and offer HTTP/2 and HTTP/1.1 by ALPN. Only
    /// `.http3` has a listener on its UDP port.
    package enum Port: Int, CaseIterable, Sendable {
        case http
        case https
        /// Requires a client certificate of the test authority.
        case clientCertificate
        case tls12
        case tls13
        /// TLS without HTTP/2.
        case http1Only
        /// HTTP/3 as well, on the UDP port of the same number, if ``speaksHTTP3``. The file
        /// `/alt-svc` announces it.
        case http3
        case expired
        case notYetValid
        case otherHost
        case selfSigned
    }

    package static let shared = Shared { try await NginxPeer.start() }
    package static var isAvailable: Bool {
        Executable.path("nginx") != nil && Certificates.isAvailable
    }

    /// Whether the installed nginx supports HTTP/3: version 1.25 or later, built with the module.
    package static let speaksHTTP3: Bool = {
        guard isAvailable, let nginx = Executable.path("nginx") else { return false }
        return (try? ChildProcess.run([nginx, "-V"]).output.contains("http_v3_module")) ?? false
    }()

    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates) {
        (self.process, self.certificates) = (process, certificates)
    }

    /// - Parameters:
    ///   - upstream: The server that `/upstream/` is forwarded to, for instance
    ///     `http://127.0.0.1:8000`.
    ///   - keepaliveRequests: The number of requests after which a connection is closed; over
    ///     HTTP/2 by GOAWAY.
    ///   - canReload: Whether to start a master process, which ``reload()`` needs.
    package static func start(
        upstream: String? = nil,
        keepaliveRequests: Int = 1_000_000,
        canReload: Bool = false
    ) async throws -> NginxPeer {
        guard let nginx = Executable.path("nginx") else {
            throw SupportError("nginx is not installed")
        }
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(portCount: Port.allCases.count) { folder, ports in
            try makeFiles(folder)
            let text = configuration(folder, ports, certificates, upstream)
                .replacing("KEEPALIVE_REQUESTS", with: "\(keepaliveRequests)")
                .replacing("MASTER_PROCESS", with: canReload ? "on" : "off")
            let file = try folder.write(text, to: "nginx.conf")
            return [nginx, "-e", "stderr", "-p", folder.path, "-c", file]
        }
        return NginxPeer(process, certificates)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    /// Replaces the workers; the old ones close their connections.
    package func reload() { kill(process.id, SIGHUP) }

    package func port(_ port: Port) -> Int { process.ports[port.rawValue] }

    /// The path of a unix socket on which the site of `.https` listens, too.
    package var socketPath: String { process.folder.path(Self.socketName) }

    package func url(_ port: Port, _ path: String = "/hello.txt") -> String {
        "\(port == .http ? "http" : "https")://localhost:\(self.port(port))\(path)"
    }

    /// Creates a sparse file of zeros, which takes no disk space, at `/name`.
    package func makeFile(_ name: String, zeros: Int) throws {
        let path = process.folder.path("files/" + name)
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: UInt64(zeros))
        try file.close()
    }

    package func makeFile(_ name: String, _ bytes: [UInt8]) throws {
        try process.folder.write(bytes, to: "files/" + name)
    }

    /// The content of `/1m.bin`.
    package static let megabyte = [UInt8](count: 1 << 20) {
        UInt8(truncatingIfNeeded: $0 &* 31 >> 3)
    }
}
