/// A URL that may be fetched, and the parts of it that scheduling and naming ask for.
///
/// This is no URL parser: libcurl has the last word. It refuses what can't be an `http` or `https`
/// URL in words that help, and finds the host by which URLs are grouped.
package struct FetchTarget: Sendable, Hashable {
    /// The URL as it was given.
    package let url: String
    /// Whether it is `https`.
    package let isSecure: Bool
    /// The host in lower case; an IPv6 address without its brackets.
    package let host: String
    /// The port, given or the scheme's own.
    package let port: UInt16
    /// What follows the authority: path, query and fragment; may be empty.
    package let rest: Substring
    /// What else the list says; `nil` for nothing.
    let details: RequestDetails?
    /// Whether it is a host's `robots.txt`, and no URL of a list.
    var isRobots = false

    /// URLs of the same key share the limit per host.
    package var hostKey: String { "\(host):\(port)" }

    /// Reads a URL.
    package init(_ url: String) throws(BatchFailure) {
        try self.init(url, details: nil)
    }

    /// Reads the URL of a request.
    init(_ request: BatchRequest) throws(BatchFailure) {
        try self.init(request.url, details: request.isPlain ? nil : RequestDetails(request))
    }

    /// Of a request for a part alone.
    init(_ request: BatchRequest, part: RequestedPart) throws(BatchFailure) {
        try self.init(request.url, details: RequestDetails(request, part: part))
    }

    private init(_ url: String, details: RequestDetails?) throws(BatchFailure) {
        try Self.checkCharacters(url)
        guard let separator = Self.schemeSeparator(in: url) else {
            throw .invalidURL(
                "“\(Self.shown(url))” has no scheme: write https://\(Self.shown(url))"
            )
        }
        switch url[..<separator.lowerBound].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        case let scheme:
            throw .invalidURL("“\(Self.shown(url))” is no http or https URL, but \(scheme)")
        }
        let afterScheme = url[separator.upperBound...]
        let authority = afterScheme.prefix { !"/?#".utf8.contains($0.utf8.first ?? 0) }
        rest = afterScheme[authority.endIndex...]
        // Whatever stands before the last @ is a user and a password.
        let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
        let (host, port) = try Self.split(server ?? authority, of: url)
        self.url = url
        self.details = details
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
    }

    private static func checkCharacters(_ url: String) throws(BatchFailure) {
        for byte in url.utf8 where byte <= 0x20 || byte == 0x7F {
            throw byte == 0x20
                ? .invalidURL("“\(Self.shown(url))” contains a space: write %20")
                : .invalidURL("the URL contains a control character (byte \(byte))")
        }
    }

    static func schemeSeparator(in url: String) -> Range<String.Index>? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let end = url.utf8.index(colon, offsetBy: 3, limitedBy: url.endIndex)
        guard let end, url[colon..<end] == "://", colon > url.startIndex else { return nil }
        return colon..<end
    }

    private static func split(
        _ server: Substring,
        of url: String
    ) throws(BatchFailure) -> (host: String, port: UInt16?) {
        var host = server
        var port: Substring?
        if server.first == "[" {
            guard let bracket = server.lastIndex(of: "]") else {
                throw .invalidURL(
                    "“\(Self.shown(url))” has an IPv6 address without its closing bracket"
                )
            }
            host = server[server.index(after: server.startIndex)..<bracket]
            let tail = server[server.index(after: bracket)...]
            guard tail.isEmpty || tail.first == ":" else {
                throw .invalidURL("“\(Self.shown(url))” has “\(tail)” after its IPv6 address")
            }
            port = tail.isEmpty ? nil : tail.dropFirst()
        } else if let colon = server.lastIndex(of: ":") {
            host = server[..<colon]
            port = server[server.index(after: colon)...]
        }
        guard !host.isEmpty else { throw .invalidURL("“\(Self.shown(url))” has no host") }
        guard let port, !port.isEmpty else { return (host.lowercased(), nil) }
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port),
            number > 0
        else { throw .invalidURL("“\(Self.shown(url))” has no valid port: “\(port)”") }
        return (host.lowercased(), number)
    }

    /// A URL for a message: shortened, and without what may be a password.
    private static func shown(_ url: String) -> String {
        var text = url
        if let separator = schemeSeparator(in: url) {
            let authority = url[separator.upperBound...].prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") {
                text = "\(url[..<separator.upperBound])…\(url[at...])"
            }
        }
        return text.utf8.count <= 200 ? text : "\(text.prefix(200))…"
    }
}
