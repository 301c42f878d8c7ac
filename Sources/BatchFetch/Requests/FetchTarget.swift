internal import CurlTransport
internal import HTTPSemantics
internal import Posix

/// A URL to fetch, with the parts that scheduling and naming need.
///
/// This is not a URL parser: libcurl decides what is valid. This type rejects what can't be an
/// `http` or `https` URL with a helpful message, and finds the host by which URLs are grouped.
package struct FetchTarget: Sendable, Hashable {
    /// The URL as given.
    package let url: String
    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// Host and port. URLs with the same key share the per-host limits, however they spell the
    /// host.
    package let hostKey: String
    /// The given port, or the default port of the scheme.
    package let port: UInt16
    /// The end of the authority in `url`, as a byte offset.
    private let authorityEnd: Int
    /// Whether the request uses the URL unchanged.
    private let isPlain: Bool
    /// The other details from the list; `nil` if there are none.
    let details: RequestDetails?
    /// Whether this is a host's `robots.txt`, not from a list.
    var isRobots = false

    /// The host in lower case, or an address in canonical form. An IPv6 address has no brackets.
    package var host: String { HostName.host(ofKey: hostKey) }

    /// Whether the run's credentials may be sent to it.
    ///
    /// False after a redirect to another origin, even if a later one leads back.
    var allowsCredentials: Bool { !(details?.request.isBeyondOrigin ?? false) }

    /// Whether the request may be repeated after the server processed it.
    var isIdempotent: Bool { details?.request.isIdempotent ?? true }

    /// The URL of the request, if it is known without libcurl.
    var requestURL: String? { isPlain ? url : nil }

    /// Path, query and fragment; may be empty.
    package var rest: Substring {
        url[url.utf8.index(url.startIndex, offsetBy: authorityEnd)...]
    }

    /// Parses a URL.
    package init(_ url: String) throws(BatchFailure) {
        try self.init(url, details: nil)
    }

    /// Parses the URL of a request.
    init(_ request: BatchRequest) throws(BatchFailure) {
        try self.init(request.url, details: request.isPlain ? nil : RequestDetails(request))
    }

    /// Parses the URL of a request for a partial body.
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
            throw .invalidURL("the line is JSON, not a URL: set the format of the list to JSONL")
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
        // Everything before the last @ is user name and password.
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let server = at.map { authority[authority.index(after: $0)...] } ?? authority
        let (host, givenPort) = try Self.split(server, of: url)
        try Self.checkLength(of: host, in: url)
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

    /// Returns the range of `://` after a non-empty scheme.
    package static func schemeSeparator(in url: String) -> Range<String.Index>? {
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
            throw .invalidURL("“\(Self.shown(url))” has the scheme \(scheme): use http or https")
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
                    "“\(Self.shown(url))” has an IPv6 address without a closing bracket"
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
        guard port.allSatisfy(\.isASCIIDigit), let number = UInt16(Substring(port)),
            number > 0
        else { throw .invalidURL(Self.invalidPort(Substring(port), of: url)) }
        return (host, number)
    }

    /// Rejects a host that is too long, because a run stores its hosts.
    private static func checkLength(
        of host: Substring.UTF8View,
        in url: String
    ) throws(BatchFailure) {
        // libcurl decodes the host, which never makes it longer.
        guard host.count > URLParsing.maximumHostLength else { return }
        do throws(URLParsing.Failure) {
            try URLParsing.check(url)
        } catch {
            throw .invalidURL("“\(Self.shown(url))” can't be used: \(error.message)")
        }
    }

    private static func invalidPort(_ port: Substring, of url: String) -> String {
        // What looks like a port may be the beginning of a password.
        url.contains("@")
            ? "“\(shown(url))” has no valid port; a slash in a password is written %2F"
            : "“\(shown(url))” has no valid port: “\(port)”"
    }

    /// Returns a malformed URL in a form that is safe for messages.
    private static func shown(_ url: String) -> String {
        let text = URLText.ofMalformed(url)
        return text.utf8.count <= 200 ? text : "\(text.prefix(200))…"
    }
}

extension FetchTarget {
    /// The `robots.txt` of this host and port.
    var robots: FetchTarget {
        let scheme = isSecure ? "https" : "http"
        let name = host.contains(":") ? "[\(host)]" : host
        // The parts come from a valid URL, so this doesn't fail.
        var request = BatchRequest(url: "\(scheme)://\(name):\(port)/robots.txt")
        request.isBeyondOrigin = details?.request.isBeyondOrigin ?? false
        var target = (try? FetchTarget(request)) ?? self
        target.isRobots = true
        return target
    }
}

/// The details of a URL from the list, stored separately.
///
/// This saves memory, because most lists have no details and thousands of URLs are queued.
final class RequestDetails: Sendable, Hashable {
    let request: BatchRequest
    /// The requested part, if the rest of the body is already stored.
    let part: RequestedPart?

    init(_ request: BatchRequest, part: RequestedPart? = nil) {
        self.request = request
        self.part = part
    }

    /// The bytes of content that it holds in memory.
    var weight: Int {
        if case .bytes(let bytes) = request.body { bytes.count } else { 0 }
    }

    static func == (lhs: RequestDetails, rhs: RequestDetails) -> Bool {
        lhs === rhs || lhs.request == rhs.request && lhs.part == rhs.part
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(request)
        hasher.combine(part)
    }
}
