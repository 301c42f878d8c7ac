internal import Curl

/// A URL that may be fetched, and the parts of it that scheduling and naming ask for.
///
/// This is no URL parser: libcurl has the last word. It refuses what can't be an `http` or `https`
/// URL in words that help, and finds the host by which URLs are grouped.
package struct FetchTarget: Sendable, Hashable {
    /// The URL as it was given.
    package let url: String
    /// Whether it is `https`.
    package let isSecure: Bool
    /// Host and port: URLs of the same key share the limit per host, however they spell the host.
    package let hostKey: String
    /// The port, given or the scheme's own.
    package let port: UInt16
    /// Where the authority ends in `url`, in bytes.
    private let authorityEnd: Int
    /// Whether the URL of the request for it is just this.
    private let isPlain: Bool
    /// What else the list says; `nil` for nothing.
    let details: RequestDetails?
    /// Whether it is a host's `robots.txt`, and no URL of a list.
    var isRobots = false

    /// The host in lower case, an address in its usual form; an IPv6 address without its brackets.
    package var host: String {
        let colon = hostKey.utf8.lastIndex(of: UInt8(ascii: ":"))
        return colon.map { String(hostKey[..<$0]) } ?? hostKey
    }

    /// Whether it may be asked for again though the server may have acted on it.
    var isIdempotent: Bool { details?.request.isIdempotent ?? true }

    /// The URL of the request for it, where that is known without asking libcurl.
    var requestURL: String? { isPlain ? url : nil }

    /// What follows the authority: path, query and fragment; may be empty.
    package var rest: Substring {
        url[url.utf8.index(url.startIndex, offsetBy: authorityEnd)...]
    }

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
        self.url = url
        self.details = details
        if let plain = PlainURL(url), !plain.endsInDot {
            isSecure = plain.isSecure
            port = plain.port ?? (isSecure ? 443 : 80)
            let authority = plain.authority
            hostKey = plain.port != nil ? authority : authority + (isSecure ? ":443" : ":80")
            authorityEnd = plain.authorityEnd
            isPlain = plain.hasPath
            return
        }
        isPlain = false
        guard url.utf8.first != UInt8(ascii: "{") else {
            throw .invalidURL("the line is no URL, but looks like JSON: read the list as JSONL")
        }
        try Self.checkCharacters(url)
        guard let separator = Self.schemeSeparator(in: url) else {
            let rest = Self.shown(url.hasPrefix("//") ? String(url.dropFirst(2)) : url)
            throw .invalidURL("“\(Self.shown(url))” has no scheme: write https://\(rest)")
        }
        isSecure = try Self.isSecure(url[..<separator.lowerBound], of: url)
        let afterScheme = url[separator.upperBound...].utf8
        let end = afterScheme.firstIndex { $0 == Self.slash || $0 == Self.mark || $0 == Self.hash }
        let authority = afterScheme[..<(end ?? afterScheme.endIndex)]
        authorityEnd = url.utf8.distance(from: url.startIndex, to: authority.endIndex)
        // Whatever stands before the last @ is a user and a password.
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let server = at.map { authority[authority.index(after: $0)...] } ?? authority
        let (host, givenPort) = try Self.split(server, of: url)
        let port = givenPort ?? (isSecure ? 443 : 80)
        self.port = port
        hostKey = "\(HostName.canonical(host)):\(port)"
    }

    private static let slash = UInt8(ascii: "/")
    private static let mark = UInt8(ascii: "?")
    private static let hash = UInt8(ascii: "#")
    private static let colon = UInt8(ascii: ":")

    private static func checkCharacters(_ url: String) throws(BatchFailure) {
        for byte in url.utf8 where byte <= 0x20 || byte == 0x7F {
            throw byte == 0x20
                ? .invalidURL("“\(Self.shown(url))” contains a space: write %20")
                : .invalidURL("the URL contains a control character (byte \(byte))")
        }
    }

    /// Where `://` stands, behind something.
    static func schemeSeparator(in url: String) -> Range<String.Index>? {
        let bytes = url.utf8
        guard let start = bytes.firstIndex(of: colon), start > bytes.startIndex else { return nil }
        var end = start
        for byte in [colon, slash, slash] {
            guard end < bytes.endIndex, bytes[end] == byte else { return nil }
            bytes.formIndex(after: &end)
        }
        return start..<end
    }

    private static func isSecure(
        _ scheme: Substring,
        of url: String
    ) throws(BatchFailure) -> Bool {
        if scheme == "https" { return true }
        if scheme == "http" { return false }
        switch scheme.lowercased() {
        case "https": return true
        case "http": return false
        case let scheme:
            throw .invalidURL("“\(Self.shown(url))” is no http or https URL, but \(scheme)")
        }
    }

    private static func split(
        _ server: Substring.UTF8View,
        of url: String
    ) throws(BatchFailure) -> (host: Substring.UTF8View, port: UInt16?) {
        var host = server
        var port: Substring.UTF8View?
        if server.first == UInt8(ascii: "[") {
            guard let bracket = server.lastIndex(of: UInt8(ascii: "]")) else {
                throw .invalidURL(
                    "“\(Self.shown(url))” has an IPv6 address without its closing bracket"
                )
            }
            host = server[server.index(after: server.startIndex)..<bracket]
            let tail = server[server.index(after: bracket)...]
            guard tail.isEmpty || tail.first == colon else {
                throw .invalidURL(
                    "“\(Self.shown(url))” has “\(Substring(tail))” after its IPv6 address"
                )
            }
            port = tail.isEmpty ? nil : tail.dropFirst()
        } else if let colon = server.lastIndex(of: colon) {
            host = server[..<colon]
            port = server[server.index(after: colon)...]
        }
        guard !host.isEmpty else { throw .invalidURL("“\(Self.shown(url))” has no host") }
        guard let port, !port.isEmpty else { return (host, nil) }
        guard port.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(Substring(port)),
            number > 0
        else { throw .invalidURL(Self.invalidPort(Substring(port), of: url)) }
        return (host, number)
    }

    private static func invalidPort(_ port: Substring, of url: String) -> String {
        // What looks like a port is a password's beginning, perhaps.
        url.contains("@")
            ? "“\(shown(url))” has no valid port; a slash in a password is written %2F"
            : "“\(shown(url))” has no valid port: “\(port)”"
    }

    /// What is no URL, for a message.
    private static func shown(_ url: String) -> String {
        let text = URLText.ofMalformed(url)
        return text.utf8.count <= 200 ? text : "\(text.prefix(200))…"
    }
}
