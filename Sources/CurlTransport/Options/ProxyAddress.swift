internal import Curl

/// Reads a proxy's address as environment variables have it:
/// `[scheme://][user[:password]@]host[:port][/]`.
enum ProxyAddress {
    /// Reads `text`; errors begin with `option` and never show the text, which may have a password.
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
        guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText)
        else { throw InvalidOption(option, "has a port that is no number") }
        try OptionCheck.port(port, option)
        return (String(host), port)
    }

    /// Undoes percent-encoding; nil if it is broken or isn't UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue),
                let low = rest.popFirst().flatMap(hexValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
