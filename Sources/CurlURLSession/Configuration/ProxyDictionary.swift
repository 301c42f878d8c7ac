internal import CurlTransport

/// Reads a dictionary of proxies as `CFNetwork` has them.
///
/// What can't be understood is an error, and never passed over: a request that was to go through a
/// proxy must not go past it. No value is shown in an error, since it may be a secret.
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

        /// What goes by two names.
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

        /// Of protocols that aren't spoken.
        static let passedOver: Set<String> = [
            "FTPEnable", "FTPProxy", "FTPPort", "FTPPassive", "RTSPEnable", "RTSPProxy",
            "RTSPPort", "GopherEnable", "GopherProxy", "GopherPort",
        ]

        /// What can't be had, and matters only where it is switched on: with what to do instead.
        static let unavailable = [
            "ProxyAutoConfigEnable": "scripts aren't run here; name the proxies",
            "ProxyAutoDiscoveryEnable": "proxies aren't looked for here; name them",
            "ExcludeSimpleHostnames": "list the hosts in \(exceptions)",
        ]
        static let ofUnavailable: Set<String> = [
            "ProxyAutoConfigURLString", "ProxyAutoConfigJavaScript",
        ]
    }

    /// What the dictionary says.
    ///
    /// - Throws: ``TransportError/Code/configuration`` with the key that can't be understood.
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
                throw Self.malformed(key, "can't be honoured: \(advice)")
            }
            guard
                Key.known.contains(key) || Key.passedOver.contains(key)
                    || Key.ofUnavailable.contains(key)
            else { throw Self.malformed(key, "is a key that isn't known") }
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
            throw Self.malformed("\(name)Proxy", "is no host; give it without scheme and path")
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

    /// The kinds that resolve names at the proxy, so that none is asked for from here.
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
                throw Self.malformed(userKey, "is missing, and \(passwordKey) isn't")
            }
            return nil
        }
        return Credentials(user: user, password: password ?? "")
    }

    // MARK: Exceptions

    private func exceptions() throws(TransportError) -> [String] {
        guard let value = values[Key.exceptions] else { return [] }
        guard case .list(let entries) = value else {
            throw Self.malformed(Key.exceptions, "is no array of strings")
        }
        var patterns: [String] = []
        for entry in entries {
            guard case .text(let text) = entry, let pattern = Self.pattern(text) else {
                throw Self.malformed(
                    Key.exceptions,
                    "has an entry that can't be understood; give names, names that begin with "
                        + "“*.”, addresses, networks such as 192.0.2.0/24, or “*”"
                )
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// As libcurl has it; nil for what it can't.
    private static func pattern(_ text: String) -> String? {
        guard text != "*" else { return text }
        // To libcurl a domain stands for all that is below it, too.
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
        guard case .text(let text) = value else { throw Self.malformed(key, "is no string") }
        return text
    }

    private func port(_ key: String) throws(TransportError) -> Int? {
        guard let value = values[key] else { return nil }
        guard case .integer(let port) = value, (1...65535).contains(port) else {
            throw Self.malformed(key, "is no number from 1 to 65535")
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
