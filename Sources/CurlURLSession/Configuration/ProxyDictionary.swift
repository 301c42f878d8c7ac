internal import CurlTransport

/// Parses a proxy dictionary of `CFNetwork`.
///
/// An entry that can't be parsed is an error and never ignored: a request that should use a proxy
/// must not bypass it. Errors contain no values, since these may be secret.
struct ProxyDictionary {
    private let values: [String: PlainValue]

    init(_ values: [String: PlainValue]) {
        var values = values
        for (long, short) in Key.longNames {
            if let value = values.removeValue(forKey: long) { values[short] = value }
        }
        self.values = values
    }

    private enum Key {
        static let exceptions = kCFNetworkProxiesExceptionsList
        static let user = kCFProxyUsernameKey
        static let password = kCFProxyPasswordKey
        static let socksVersion = "SOCKSVersion"
        static let socksUser = "SOCKSUser"
        static let socksPassword = "SOCKSPassword"

        /// Keys that have a second name.
        static let longNames = [
            kCFStreamPropertySOCKSVersion: socksVersion,
            kCFStreamPropertySOCKSUser: socksUser,
            kCFStreamPropertySOCKSPassword: socksPassword,
        ]

        static let known: Set<String> = [
            "HTTPEnable", "HTTPProxy", "HTTPPort", "HTTPSEnable", "HTTPSProxy", "HTTPSPort",
            "SOCKSEnable", "SOCKSProxy", "SOCKSPort", socksVersion, socksUser, socksPassword,
            exceptions, user, password,
        ]

        /// Keys of unsupported protocols. They are ignored.
        static let passedOver: Set<String> = [
            "FTPEnable", "FTPProxy", "FTPPort", "FTPPassive", "RTSPEnable", "RTSPProxy",
            "RTSPPort", "GopherEnable", "GopherProxy", "GopherPort",
        ]

        /// Unsupported keys, with advice. They are errors only if they are switched on.
        static let unavailable = [
            "ProxyAutoConfigEnable": "proxy scripts aren't supported; name the proxies",
            "ProxyAutoDiscoveryEnable": "proxy discovery isn't supported; name the proxies",
            "ExcludeSimpleHostnames": "list the hosts in \(exceptions)",
        ]
        static let ofUnavailable: Set<String> = [
            "ProxyAutoConfigURLString", "ProxyAutoConfigJavaScript",
        ]
    }

    /// Parses the dictionary.
    ///
    /// - Throws: ``TransportError/Code/configuration`` with the invalid key.
    func policy() throws(TransportError) -> ProxyPolicy {
        try checkKeys()
        let socks = try socksServer()
        let http = try server("HTTP", .http, port: 80) ?? socks
        let https = try server("HTTPS", .http, port: 443) ?? socks
        let exceptions = try self.exceptions()
        guard http != nil || https != nil else { return .none }
        return .servers(http: http, https: https, exceptions: exceptions)
    }

    private func checkKeys() throws(TransportError) {
        for key in values.keys.sorted() {
            if let advice = Key.unavailable[key] {
                guard try flag(key) == true else { continue }
                throw Self.malformed(key, "isn't supported: \(advice)")
            }
            guard
                Key.known.contains(key) || Key.passedOver.contains(key)
                    || Key.ofUnavailable.contains(key)
            else { throw Self.malformed(key, "is an unknown key") }
        }
    }

    // MARK: Servers

    private func server(
        _ name: String,
        _ kind: ProxyServer.Kind,
        port standardPort: Int
    ) throws(TransportError) -> ProxyServer? {
        let host = try text("\(name)Proxy")
        let port = try self.port("\(name)Port")
        guard let isEnabled = try flag("\(name)Enable") else {
            guard host == nil, port == nil else {
                throw Self.malformed("\(name)Enable", "is missing; give 1, or 0 for no proxy")
            }
            return nil
        }
        guard isEnabled else { return nil }
        guard let host, !host.isEmpty else {
            throw Self.malformed("\(name)Proxy", "is missing; give the proxy's host")
        }
        guard !host.contains("/") else {
            throw Self.malformed("\(name)Proxy", "isn't a host; give it without scheme and path")
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return ProxyServer(
            kind,
            host: isBracketed ? String(host.dropFirst().dropLast()) : host,
            port: port ?? standardPort,
            credentials: try credentials(Key.user, Key.password)
        )
    }

    private func socksServer() throws(TransportError) -> ProxyServer? {
        let kind = try socksKind()
        let own = try credentials(Key.socksUser, Key.socksPassword)
        var server = try self.server("SOCKS", kind, port: 1080)
        if let own { server?.credentials = own }
        return server
    }

    /// The kinds that resolve host names at the proxy. This machine then sends no DNS query.
    private func socksKind() throws(TransportError) -> ProxyServer.Kind {
        switch values[Key.socksVersion] {
        case nil, .text(kCFStreamSocketSOCKSVersion5), .text("5"), .integer(5): return .socks5h
        case .text(kCFStreamSocketSOCKSVersion4), .text("4"), .integer(4): return .socks4a
        default: throw Self.malformed(Key.socksVersion, "is neither 4 nor 5")
        }
    }

    private func credentials(
        _ userKey: String,
        _ passwordKey: String
    ) throws(TransportError) -> Credentials? {
        let password = try text(passwordKey)
        guard let user = try text(userKey) else {
            guard password == nil else {
                throw Self.malformed(userKey, "is missing, but \(passwordKey) is given")
            }
            return nil
        }
        return Credentials(user: user, password: password ?? "")
    }

    // MARK: Exceptions

    private func exceptions() throws(TransportError) -> [String] {
        guard let value = values[Key.exceptions] else { return [] }
        guard case .list(let entries) = value else {
            throw Self.malformed(Key.exceptions, "isn't an array of strings")
        }
        var patterns: [String] = []
        for entry in entries {
            guard case .text(let text) = entry, let pattern = Self.pattern(text) else {
                throw Self.malformed(
                    Key.exceptions,
                    "has an invalid entry; give names, names that begin with "
                        + "“*.”, addresses, networks such as 192.0.2.0/24, or “*”"
                )
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// Converts an exception to libcurl's form; `nil` if libcurl has none.
    private static func pattern(_ text: String) -> String? {
        guard text != "*" else { return text }
        // For libcurl, a domain includes all its subdomains.
        let rest = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        guard !rest.isEmpty, !rest.contains(where: { "*<>, ".contains($0) }) else { return nil }
        guard let slash = rest.firstIndex(of: "/"), !rest.contains(":") else {
            return String(rest)
        }
        var numbers = rest[..<slash].split(separator: ".", omittingEmptySubsequences: false)
        let bits = UInt8(rest[slash...].dropFirst())
        guard numbers.count <= 4, numbers.allSatisfy({ UInt8($0) != nil }), let bits, bits <= 32
        else { return nil }
        // Networks may be abbreviated: 169.254/16.
        numbers += Array(repeating: "0", count: 4 - numbers.count)
        return "\(numbers.joined(separator: "."))/\(bits)"
    }

    // MARK: Values

    private func text(_ key: String) throws(TransportError) -> String? {
        guard let value = values[key] else { return nil }
        guard case .text(let text) = value else { throw Self.malformed(key, "isn't a string") }
        return text
    }

    private func port(_ key: String) throws(TransportError) -> Int? {
        guard let value = values[key] else { return nil }
        guard case .integer(let port) = value, (1...65535).contains(port) else {
            throw Self.malformed(key, "isn't a number from 1 to 65535")
        }
        return port
    }

    private func flag(_ key: String) throws(TransportError) -> Bool? {
        switch values[key] {
        case nil: return nil
        case .flag(let flag): return flag
        case .integer(let number): return number != 0
        default: throw Self.malformed(key, "is neither 1 nor 0")
        }
    }

    private static func malformed(_ key: String, _ reason: String) -> TransportError {
        .configuration("the proxies can't be used: \(key) in connectionProxyDictionary \(reason)")
    }
}
