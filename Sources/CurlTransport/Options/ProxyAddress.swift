internal import HTTPSemantics
internal import Posix

/// Parses a proxy's address in the form of environment variables.
///
/// The form is `[scheme://][user[:password]@]host[:port][/]`.
enum ProxyAddress {
    /// Parses `text`.
    ///
    /// Errors begin with `option` and never contain the text, which may contain a password.
    static func parse(_ text: String, option: String) throws(InvalidOption) -> ProxyServer {
        var rest = text[...]
        var kind = ProxyServer.Kind.http
        if let separator = rest.firstRange(of: "://") {
            kind = try self.kind(rest[..<separator.lowerBound], option)
            rest = rest[separator.upperBound...]
        }
        if let slash = rest.firstIndex(of: "/") { rest = rest[..<slash] }
        var credentials: Credentials?
        if let at = rest.lastIndex(of: "@") {
            credentials = try self.credentials(rest[..<at], option)
            rest = rest[rest.index(after: at)...]
        }
        let (host, port) = try hostAndPort(rest, option)
        _ = try OptionCheck.host(host, option)
        return ProxyServer(
            kind,
            host: host,
            port: port ?? (kind == .https ? 443 : 1080),
            credentials: credentials
        )
    }

    private static func kind(
        _ scheme: Substring,
        _ option: String
    ) throws(InvalidOption) -> ProxyServer.Kind {
        let scheme = scheme.lowercased()
        if scheme == "socks" { return .socks4 }
        guard let kind = ProxyServer.Kind(rawValue: scheme) else {
            throw InvalidOption(
                option,
                "has an unknown scheme; use http, https, socks4, socks4a, socks5 or socks5h"
            )
        }
        return kind
    }

    private static func credentials(
        _ text: Substring,
        _ option: String
    ) throws(InvalidOption) -> Credentials {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = decoded(parts[0]), let password = decoded(parts.count > 1 ? parts[1] : "")
        else {
            throw InvalidOption(
                option,
                "has a user or password that isn't properly percent-encoded"
            )
        }
        return Credentials(user: user, password: password)
    }

    private static func hostAndPort(
        _ text: Substring,
        _ option: String
    ) throws(InvalidOption) -> (host: String, port: Int?) {
        var host = text
        var portText: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw InvalidOption(option, "has an opening bracket without a closing one")
            }
            host = text[text.index(after: text.startIndex)..<end]
            guard case .ipv6 = NumericAddress.kind(of: String(host)) else {
                throw InvalidOption(option, "has brackets around what is no IPv6 address")
            }
            let after = text[text.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else {
                throw InvalidOption(option, "has something other than a port behind its address")
            }
            portText = after.isEmpty ? nil : after.dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            portText = text[text.index(after: colon)...]
            guard !host.contains(":") else {
                throw InvalidOption(option, "has several colons; put an IPv6 address in brackets")
            }
        }
        guard let portText, !portText.isEmpty else { return (String(host), nil) }
        guard portText.utf8.allSatisfy(\.isASCIIDigit), let port = Int(portText)
        else { throw InvalidOption(option, "has a port that is no number") }
        guard (1...65535).contains(port) else {
            throw InvalidOption(option, "has the port \(port); give a port from 1 to 65535")
        }
        return (String(host), port)
    }

    /// Decodes percent-encoding; nil if it is malformed or isn't UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        PercentCoding.decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
