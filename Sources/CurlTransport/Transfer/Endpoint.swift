internal import Curl
internal import HTTPTypes

/// Where a request goes, read from its scheme and authority by libcurl's own URL parser.
///
/// Made and used by one loop, which remembers it for the next request to go there.
final class Endpoint {
    let scheme: String
    let authority: String
    /// In lower case.
    let host: String
    let port: UInt16
    /// Scheme and authority as the URL begins with them, in lower case (RFC 3986 section 6.2.2.1), so
    /// that libcurl finds the same connections however the host was written.
    let origin: String
    /// The same for every way to write it: the host in lower case, and always a port.
    let identity: String
    let isSecure: Bool
    /// Whether libcurl has to ask a name service. It answers for `localhost` itself.
    let hasName: Bool
    /// The host is an IPv6 address with a zone, which libcurl 7.88.1 loses where it is given a URL
    /// that it has read already.
    let hasZone: Bool
    /// The origin as libcurl reads it, so that it needn't be read again for each request.
    let url: CurlURL

    init(of request: HTTPRequest) throws(TransportError) {
        guard let scheme = request.scheme, !scheme.isEmpty else {
            throw .invalidRequest("the request has no scheme; use http or https", url: nil)
        }
        guard let authority = request.authority, !authority.isEmpty else {
            throw .invalidRequest("the request has no host", url: nil)
        }
        let lowercased = scheme.lowercased()
        guard lowercased == "http" || lowercased == "https" else {
            throw .unsupportedURL(scheme: scheme)
        }
        guard authority.utf8.allSatisfy({ !Self.endsAuthority($0) }) else {
            throw .invalidRequest(
                "the authority holds a character that can't be in one, such as / or ?",
                url: nil
            )
        }
        origin = "\(lowercased)://\(authority.lowercased())"
        do {
            url = try CurlURL(parsing: origin + "/")
        } catch {
            throw .invalidRequest("the host can't be read: \(error)", url: nil)
        }
        guard !url.hasUserInfo else {
            throw .invalidRequest(
                "the authority holds a user name or password; use TransferOptions.authentication",
                url: nil
            )
        }
        self.scheme = lowercased
        self.authority = authority
        host = url.host.lowercased()
        port = url.port
        identity = "\(lowercased)://\(host):\(port)"
        hasZone = url.hasZone
        isSecure = lowercased == "https"
        hasName = !url.isNumericHost && host != "localhost" && !host.hasSuffix(".localhost")
    }

    func hasSameOrigin(as other: Endpoint) -> Bool {
        identity == other.identity
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "\\")
    }
}
