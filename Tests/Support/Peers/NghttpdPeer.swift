/// nghttpd: HTTP/2 only, over TLS or in cleartext.
///
/// Cleartext is h2c by prior knowledge or by upgrade.
package final class NghttpdPeer: Peer {
    package static var isAvailable: Bool {
        Executable.path("nghttpd") != nil && Certificates.isAvailable
    }

    package let usesTLS: Bool
    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates, usesTLS: Bool) {
        (self.process, self.certificates, self.usesTLS) = (process, certificates, usesTLS)
    }

    /// Serves `/hello.txt` and `/1m.bin` (`NginxPeer.megabyte`). Further arguments are passed to
    /// nghttpd, for instance `--trailer=name: value`, `--echo-upload`,
    /// `--max-concurrent-streams=1`.
    package static func start(
        tls: Bool = true,
        _ further: [String] = []
    ) async throws -> NghttpdPeer {
        guard let nghttpd = Executable.path("nghttpd") else {
            throw SupportError("nghttpd is not installed")
        }
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start { folder, ports in
            try folder.write("hello, world\n", to: "hello.txt")
            try folder.write(NginxPeer.megabyte, to: "1m.bin")
            let options = ["--address=127.0.0.1", "--htdocs=\(folder.path)"] + further
            let identity = certificates.server
            return tls
                ? [nghttpd] + options + ["\(ports[0])", identity.key, identity.certificate]
                : [nghttpd, "--no-tls"] + options + ["\(ports[0])"]
        }
        return NghttpdPeer(process, certificates, usesTLS: tls)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }
    package var port: Int { process.ports[0] }

    package func url(_ path: String = "/hello.txt") -> String {
        "\(usesTLS ? "https" : "http")://localhost:\(port)\(path)"
    }
}
