internal import Foundation

/// nginx with one site under several kinds of ports, serving files and some fixed locations (see
/// `NginxPeer+Configuration.swift`).
package final class NginxPeer: Peer {
    /// One port each. All but `.http` speak TLS; they offer HTTP/2 and HTTP/1.1 by ALPN.
    package enum Port: Int, CaseIterable, Sendable {
        case http
        case https
        /// Asks for a client certificate of the test authority and refuses without.
        case clientCertificate
        case tls12
        case tls13
        /// TLS without HTTP/2.
        case http1Only
        case expired
        case notYetValid
        case otherHost
        case selfSigned
    }

    package static let shared = Shared { try await NginxPeer.start() }
    package static var isAvailable: Bool {
        Executable.path("nginx") != nil && Certificates.isAvailable
    }

    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates) {
        (self.process, self.certificates) = (process, certificates)
    }

    /// `upstream`, for instance `http://127.0.0.1:8000`, is what `/upstream/` is passed on to.
    package static func start(upstream: String? = nil) async throws -> NginxPeer {
        guard let nginx = Executable.path("nginx") else {
            throw SupportError("nginx is not installed")
        }
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(portCount: Port.allCases.count) { folder, ports in
            try makeFiles(folder)
            let text = configuration(folder, ports, certificates, upstream)
            let file = try folder.write(text, to: "nginx.conf")
            return [nginx, "-e", "stderr", "-p", folder.path, "-c", file]
        }
        return NginxPeer(process, certificates)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    package func port(_ port: Port) -> Int { process.ports[port.rawValue] }

    package func url(_ port: Port, _ path: String = "/hello.txt") -> String {
        "\(port == .http ? "http" : "https")://localhost:\(self.port(port))\(path)"
    }

    /// Puts a file of zeros, which takes no room on the disk, under `/name`.
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

    /// What `/1m.bin` holds.
    package static let megabyte = [UInt8](count: 1 << 20) {
        UInt8(truncatingIfNeeded: $0 &* 31 >> 3)
    }
}
