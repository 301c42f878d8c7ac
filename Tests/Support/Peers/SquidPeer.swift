internal import Glibc

/// squid as an HTTP proxy, without a cache.
///
/// It forwards, tunnels with CONNECT, speaks TLS to clients on a second port, and can require Basic
/// or NTLM authentication.
package final class SquidPeer: Peer {
    package static var isAvailable: Bool {
        Executable.path("squid") != nil && Certificates.isAvailable
    }

    /// Whether it can require NTLM.
    package static var speaksNTLM: Bool { isAvailable && access(ntlmHelper, X_OK) == 0 }

    private static let ntlmHelper = "/usr/lib/squid/ntlm_fake_auth"

    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates) {
        (self.process, self.certificates) = (process, certificates)
    }

    /// - Parameter user: The user name that may use the proxy, with that password, by Basic; nil
    ///   lets all clients in.
    package static func start(
        user: String? = nil,
        password: String = ""
    ) async throws -> SquidPeer {
        try await start { folder in
            guard let user else { return "http_access allow all\n" }
            return try basic(folder, user, password)
        }
    }

    /// Requires NTLM, and accepts any user.
    package static func startWithNTLM() async throws -> SquidPeer {
        try await start { _ in asking("ntlm program \(ntlmHelper)", "ntlm children 1 startup=1") }
    }

    /// - Parameter rules: The lines of its configuration that define who has access.
    private static func start(
        rules: @escaping @Sendable (TemporaryDirectory) throws -> String
    ) async throws -> SquidPeer {
        guard let squid = Executable.path("squid") else {
            throw SupportError("squid is not installed")
        }
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(portCount: 2) { folder, ports in
            // Written with the user's privileges, read after squid has dropped root's.
            let identity = certificates.server
            let text = try configuration(folder, ports, identity) + rules(folder)
            let file = try folder.write(text, to: "squid.conf")
            return [squid, "-N", "-n", "peer\(ports[0])", "-f", file]
        }
        return SquidPeer(process, certificates)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    package var port: Int { process.ports[0] }
    package var tlsPort: Int { process.ports[1] }
    package var url: String { "http://127.0.0.1:\(port)" }
    package var tlsURL: String { "https://localhost:\(tlsPort)" }

    /// squid's log of requests so far. Each has a line with time, result, method and URL. The line
    /// is written when the request, or the tunnel, has ended.
    package func accessLog() throws -> String {
        String(decoding: try process.folder.read("access.log"), as: UTF8.self)
    }

    private static func configuration(
        _ folder: TemporaryDirectory,
        _ ports: [Int],
        _ identity: Certificates.Identity
    ) throws -> String {
        """
        http_port 127.0.0.1:\(ports[0])
        https_port 127.0.0.1:\(ports[1]) tls-cert=\(identity.certificate) tls-key=\(identity.key)
        visible_hostname localhost
        pid_filename none
        cache_log \(folder.path("cache.log"))
        access_log stdio:\(folder.path("access.log"))
        coredump_dir none
        netdb_filename none
        cache deny all
        cache_mem 1 MB
        max_filedescriptors 4096
        pinger_enable off
        shutdown_lifetime 0 seconds
        buffered_logs off

        """
    }

    private static func basic(
        _ folder: TemporaryDirectory,
        _ user: String,
        _ password: String
    ) throws -> String {
        guard let openssl = Executable.path("openssl") else {
            throw SupportError("openssl is not installed")
        }
        let hash = try ChildProcess.run([openssl, "passwd", "-apr1", password]).output
        let file = try folder.write("\(user):\(hash)", to: "users")
        return asking(
            "basic program /usr/lib/squid/basic_ncsa_auth \(file)",
            "basic children 1 startup=1",
            "basic realm peer"
        )
    }

    /// Gives access to the users that an authentication scheme has identified.
    private static func asking(_ parameters: String...) -> String {
        parameters.map { "auth_param \($0)\n" }.joined() + """
            acl known proxy_auth REQUIRED
            http_access allow known
            http_access deny all

            """
    }
}
