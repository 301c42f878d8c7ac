/// squid as an HTTP proxy: forwards, tunnels by CONNECT, speaks TLS to its clients on a second
/// port, and asks for Basic authentication if told to. It caches nothing.
package final class SquidPeer: Peer {
    package static var isAvailable: Bool {
        Executable.path("squid") != nil && Certificates.isAvailable
    }

    package let certificates: Certificates
    private let process: PeerProcess

    private init(_ process: PeerProcess, _ certificates: Certificates) {
        (self.process, self.certificates) = (process, certificates)
    }

    package static func start(
        user: String? = nil,
        password: String = ""
    ) async throws -> SquidPeer {
        guard let squid = Executable.path("squid") else {
            throw SupportError("squid is not installed")
        }
        let certificates = try await NativeThread.run { try Certificates.shared() }
        let process = try await PeerProcess.start(portCount: 2) { folder, ports in
            // Written with the user's rights, read when squid has given up root's.
            let identity = certificates.server
            var text = try configuration(folder, ports, identity)
            if let user {
                text += try authentication(folder, user, password)
            } else {
                text += "http_access allow all\n"
            }
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

    /// squid's log of requests so far: one line each with time, result, method and URL. A line
    /// comes when the request, or the tunnel, has ended.
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

    private static func authentication(
        _ folder: TemporaryDirectory,
        _ user: String,
        _ password: String
    ) throws -> String {
        guard let openssl = Executable.path("openssl") else {
            throw SupportError("openssl is not installed")
        }
        let hash = try ChildProcess.run([openssl, "passwd", "-apr1", password]).output
        let file = try folder.write("\(user):\(hash)", to: "users")
        return """
            auth_param basic program /usr/lib/squid/basic_ncsa_auth \(file)
            auth_param basic children 1 startup=1
            auth_param basic realm peer
            acl known proxy_auth REQUIRED
            http_access allow known
            http_access deny all

            """
    }
}
