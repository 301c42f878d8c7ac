internal import Foundation

extension NginxPeer {
    /// The name of the unix socket of `.https`, in the peer's folder.
    static let socketName = "https.socket"

    static func makeFiles(_ folder: TemporaryDirectory) throws {
        let files = folder.path("files")
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        try folder.write("hello, world\n", to: "files/hello.txt")
        try folder.write("", to: "files/empty.txt")
        try folder.write(megabyte, to: "files/1m.bin")
    }

    static func configuration(
        _ folder: TemporaryDirectory,
        _ ports: [Int],
        _ certificates: Certificates,
        _ upstream: String?
    ) -> String {
        let upstream = upstream.map {
            "location /upstream/ { proxy_pass \($0)/; proxy_buffering off; }"
        }
        return """
            daemon off;
            master_process MASTER_PROCESS;
            pid nginx.pid;
            error_log stderr warn;
            events { worker_connections 8192; }
            http {
                access_log off;
                client_body_temp_path temporary;
                proxy_temp_path temporary;
                fastcgi_temp_path temporary;
                uwsgi_temp_path temporary;
                scgi_temp_path temporary;
                types { text/plain txt; application/json json; }
                default_type application/octet-stream;
                keepalive_requests KEEPALIVE_REQUESTS;
                client_max_body_size 0;
                # A client that isn't given the processor for long isn't gone.
                client_body_timeout 600s;
                send_timeout 600s;
                lingering_time 600s;
                lingering_timeout 600s;
                # 100 bytes/s (limit_rate) for a whole file; a range (a resumed download) has no limit.
                map $http_range $rate { "" 100; default 0; }
                \(Port.allCases.map { site($0, ports, folder, certificates, upstream ?? "") }
                    .joined(separator: "\n"))
            }

            """
    }

    private static func site(
        _ port: Port,
        _ ports: [Int],
        _ folder: TemporaryDirectory,
        _ certificates: Certificates,
        _ upstream: String
    ) -> String {
        let number = ports[port.rawValue]
        let kind =
            switch port {
            case .http: ""
            case .http1Only: " ssl"
            default: " ssl http2"
            }
        let quic =
            port == .http3 && speaksHTTP3
            ? "listen 127.0.0.1:\(number) quic; ssl_early_data on;" : ""
        let socket =
            port == .https ? "listen unix:\(folder.path(socketName))\(kind);" : ""
        return """
            server {
                listen 127.0.0.1:\(number)\(kind);
                \(socket)
                \(quic)
                \(tls(port, certificates))
                root files;
                \(locations)
                \(upstream)
            }
            """
    }

    private static func tls(_ port: Port, _ certificates: Certificates) -> String {
        let identity =
            switch port {
            case .expired: certificates.expired
            case .notYetValid: certificates.notYetValid
            case .otherHost: certificates.otherHost
            case .selfSigned: certificates.selfSigned
            default: certificates.server
            }
        let protocols =
            switch port {
            case .http: ""
            case .tls12: "ssl_protocols TLSv1.2;"
            case .tls13: "ssl_protocols TLSv1.3;"
            default: "ssl_protocols TLSv1.2 TLSv1.3;"
            }
        let verification =
            port == .clientCertificate
            ? "ssl_verify_client on; ssl_client_certificate \(certificates.authority);" : ""
        guard port != .http else { return "" }
        // One cache per port. A full cache replaces sessions only by sessions of the same size:
        // after 4,000 other sessions it had no room for those with a client's certificate, which
        // are larger.
        return "ssl_certificate \(identity.certificate); ssl_certificate_key \(identity.key); "
            + "ssl_session_cache shared:\(port):8m; \(protocols) \(verification)"
    }

    /// Fixed locations in addition to the files.
    private static let locations = """
        # What the connection is: protocol, TLS version, cipher, whether the session was resumed
        # ("r" or "."), the connection's number and how many requests it has had.
        location = /connection {
            return 200 "$server_protocol $ssl_protocol $ssl_cipher $ssl_session_reused \
        $connection $connection_requests\\n";
        }
        # Whether the request came before the handshake was done: "1", or nothing.
        location = /early { return 200 "$ssl_session_reused$ssl_early_data\\n"; }
        location = /alt-svc {
            add_header Alt-Svc 'h3=":$server_port"; ma=3600';
            return 200 "$server_protocol\\n";
        }
        location = /client { return 200 "$ssl_client_verify $ssl_client_s_dn\\n"; }
        location = /redirect { return 302 /hello.txt; }
        location = /no-content { return 204; }
        location = /unavailable { return 503 "later\\n"; }
        # Reads a body and returns its length.
        location = /discard { return 200 "$content_length\\n"; }
        location /gzip/ { alias files/; gzip on; gzip_min_length 1; gzip_types *; }
        # The first 64 KiB (6 MiB) at full speed, the remainder at $rate.
        location /slow/ { alias files/; limit_rate $rate; limit_rate_after 64k; }
        location /slower/ { alias files/; limit_rate $rate; limit_rate_after 6m; }
        """
}
