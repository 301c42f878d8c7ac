internal import Foundation
internal import Synchronization

/// A service behind the gateway, with its servers.
package final class Upstream: Sendable {
    /// A server's URL, in parts.
    package struct Server: Sendable, Hashable {
        package let scheme: String
        /// Host and port.
        package let authority: String
        /// The path before the request's own, without a slash at its end.
        package let path: String

        /// Scheme, host and port, such as `http://127.0.0.1:80`.
        package let origin: String

        package init?(_ url: String) {
            guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
                scheme == "http" || scheme == "https",
                let host = parts.percentEncodedHost, !host.isEmpty,
                parts.user == nil, parts.query == nil, parts.fragment == nil
            else { return nil }
            let port = parts.port ?? (scheme == "http" ? 80 : 443)
            self.scheme = scheme
            authority = parts.port.map { "\(host):\($0)" } ?? host
            origin = "\(scheme)://\(host.lowercased()):\(port)"
            var path = Substring(parts.percentEncodedPath)
            while path.hasSuffix("/") { path.removeLast() }
            self.path = String(path)
        }
    }

    /// The first segment of the paths that the gateway forwards to it.
    package let name: String
    /// At least one.
    package let servers: [Server]

    private let count = Atomic(0)

    /// Creates an upstream from `NAME=URL[,URL…]`.
    package init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let isName = { (name: String) in
            !["health", "ready", "metrics"].contains(name)
                && name.utf8.allSatisfy { UInt8(ascii: "!") <= $0 && $0 <= UInt8(ascii: "~") }
                && !name.contains { "/?#%".contains($0) }
        }
        guard parts.count == 2, isName(parts[0]) else {
            throw UsageError(
                "upstream \"\(text)\" isn't NAME=URL[,URL…]; the name is a path segment other than "
                    + "health, ready and metrics"
            )
        }
        var servers: [Server] = []
        for url in parts[1].split(separator: ",") {
            guard let server = Server(String(url)) else {
                throw UsageError(
                    "\"\(url)\" of upstream \(parts[0]) isn't the URL of a server; use http or https, "
                        + "a host, and no user, query or fragment"
                )
            }
            servers.append(server)
        }
        guard !servers.isEmpty else { throw UsageError("upstream \(parts[0]) has no URL") }
        name = parts[0]
        self.servers = servers
    }

    /// The server of the next request: one after the other.
    package func nextServer() -> Server {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return servers[Int(UInt(bitPattern: number) % UInt(servers.count))]
    }
}

/// Wrong arguments or settings of a gateway.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
