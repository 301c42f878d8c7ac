internal import Foundation
internal import HTTPSemantics

/// The key of a stored response: a method and a normalised URL.
struct CacheKey: Sendable, Hashable {
    let method: String
    /// Without fragment and credentials.
    let url: String

    /// `nil` for a request without a URL. A `HEAD` has the key of a `GET`.
    init?(_ request: URLRequest) {
        guard let url = request.url else { return nil }
        let method = request.httpMethod ?? "GET"
        self.init(method: method == "HEAD" ? "GET" : method, url: url)
    }

    init(method: String = "GET", url: URL) {
        self.method = method
        self.url = Self.normalized(url.absoluteString)
    }

    /// Scheme, host and port.
    var origin: Substring {
        let slashes = url.utf8.indices.filter { url.utf8[$0] == UInt8(ascii: "/") }
        return slashes.count > 2 ? url[..<slashes[2]] : url[...]
    }

    /// Normalises a URL (RFC 9110, 4.2.3): lowercase scheme and host, no default port, a path.
    private static func normalized(_ text: String) -> String {
        let bytes = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8)
        else { return String(decoding: bytes, as: UTF8.self) }
        let scheme = bytes[..<colon].map(\.lowercasedASCII)
        let rest = bytes[colon...].dropFirst(3)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let authority = rest[..<(end ?? rest.endIndex)]
        let path = rest[(end ?? rest.endIndex)...]
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
        var host = authority[(start ?? authority.startIndex)...].map(\.lowercasedASCII)
        let ports = scheme == Array("https".utf8) ? [":443", ":"] : [":80", ":"]
        if let port = ports.first(where: { host.reversed().starts(with: $0.utf8.reversed()) }) {
            host.removeLast(port.utf8.count)
        }
        var result = scheme
        result.append(contentsOf: "://".utf8)
        result.append(contentsOf: host)
        if path.first != UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
        result.append(contentsOf: path)
        return String(decoding: result, as: UTF8.self)
    }
}
