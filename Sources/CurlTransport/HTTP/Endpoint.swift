internal import Curl
internal import HTTPTypes
internal import Posix

/// The server of a request, parsed by libcurl's URL parser from scheme and authority.
///
/// Created and used by one loop, which caches it for the next request to the same server.
final class Endpoint {
    let scheme: String
    let authority: String
    /// In lower case.
    let host: String
    /// A hash of ``host``.
    let hostHash: UInt64
    let port: UInt16
    /// Scheme and authority in lower case, the beginning of the URL (RFC 3986, section 6.2.2.1).
    ///
    /// In lower case, libcurl finds the same connections for each spelling of the host.
    let origin: String
    /// The canonical form of the origin: the host in lower case, and always a port.
    let identity: String
    let isSecure: Bool
    /// Whether libcurl needs a name lookup. It resolves `localhost` itself.
    let hasName: Bool
    /// Whether the host is an IPv6 address with a zone.
    ///
    /// libcurl 7.88.1 loses the zone if it is passed a parsed URL.
    let hasZone: Bool
    /// The origin, parsed by libcurl once instead of for each request.
    let url: CurlURL

    /// The maximum bytes of an authority. The longest host has fewer, even percent-encoded; but
    /// libcurl accepts any number of zeros before a port.
    private static let maximumAuthorityLength = 4_096

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
        guard authority.utf8.count <= Self.maximumAuthorityLength else {
            throw .invalidRequest(
                "the authority has more than \(Self.maximumAuthorityLength) bytes",
                url: nil
            )
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
        hostHash = FNV1a.hash(of: host)
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

/// The endpoints of a loop's requests, parsed once for each authority.
struct EndpointCache {
    private var known: [String: Endpoint] = [:]
    private var last: Endpoint?
    private static let maximumCount = 4096

    /// The endpoint of `request`.
    mutating func endpoint(of request: HTTPRequest) throws(TransportError) -> Endpoint {
        if let last, last.scheme == request.scheme, last.authority == request.authority {
            return last
        }
        let name = "\(request.scheme ?? "")://\(request.authority ?? "")"
        let endpoint: Endpoint
        if let known = known[name] {
            endpoint = known
        } else {
            endpoint = try Endpoint(of: request)
            if known.count >= Self.maximumCount { known.removeAll(keepingCapacity: true) }
            known[name] = endpoint
        }
        last = endpoint
        return endpoint
    }
}
