internal import HTTPTypes

/// The server of a request, as OpenTelemetry's conventions name it.
struct RequestServer: Hashable, Sendable {
    let scheme: String
    /// The host in lower case, without the brackets of an IPv6 address.
    let address: String
    let port: Int

    init(_ request: HTTPRequest) {
        let scheme = (request.scheme ?? "https").lowercased()
        let authority = Conventions.hostAndPort(of: request.authority ?? "")
        self.init(scheme: scheme, authority: authority.lowercased())
    }

    /// Creates a server from an origin such as `https://example.org:443`; nil if it isn't one.
    init?(origin: String) {
        guard let colon = origin.firstIndex(of: ":"), origin[colon...].hasPrefix("://") else {
            return nil
        }
        self.init(
            scheme: String(origin[..<colon]),
            authority: String(origin[colon...].dropFirst(3))
        )
    }

    private init(scheme: String, authority: String) {
        self.scheme = scheme
        // The colons of an IPv6 address are in brackets.
        let bracket = authority.lastIndex(of: "]")
        let colon = authority[(bracket ?? authority.startIndex)...].lastIndex(of: ":")
        let host = colon.map { authority[..<$0] } ?? authority[...]
        // A name with a dot at its end is the same server.
        address =
            bracket == nil
            ? String(host.last == "." ? host.dropLast() : host)
            : String(host.dropFirst().dropLast())
        port =
            colon.flatMap { Int(authority[authority.index(after: $0)...]) }
            ?? (scheme == "http" ? 80 : 443)
    }

    /// Scheme, host and port.
    var origin: String {
        "\(scheme)://\(address.contains(":") ? "[\(address)]" : address):\(port)"
    }
}
