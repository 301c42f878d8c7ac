internal import HTTPSemantics

/// The URLs of a bucket and of its objects.
///
/// AWS has the bucket's name in the host; other servers, whose host has no subdomains as a rule, in
/// the path. Source: <https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html>.
struct S3Endpoint: Sendable, Hashable {
    /// Scheme, host and port.
    let origin: String
    /// The path of the bucket, without a slash at its end.
    let path: String
    let isSecure: Bool

    /// - Throws: ``BatchFailure/Code/configuration`` if the endpoint is no URL of a server.
    init(bucket: String, _ settings: AWSSettings) throws(BatchFailure) {
        let region = settings.region
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        let text = settings.endpoint ?? "https://s3.\(region).\(domain)"
        guard
            let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) })
        else { throw Self.invalid(text) }
        let rest = text.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" }
        let isPlain = rest.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"?#@\\%".utf8.contains(byte)
        }
        guard isPlain, let first = host.first, first != ":" else { throw Self.invalid(text) }
        var base = String(rest.dropFirst(host.count))
        while base.last == "/" { base.removeLast() }
        isSecure = scheme == "https://"
        if Self.isInHost(bucket, String(host), settings.addressing, isSecure: isSecure) {
            origin = "\(scheme)\(bucket).\(host)"
            path = base
        } else {
            origin = scheme + host
            path = "\(base)/\(bucket)"
        }
    }

    private static func isInHost(
        _ bucket: String,
        _ host: String,
        _ addressing: AWSSettings.Addressing,
        isSecure: Bool
    ) -> Bool {
        // No certificate matches a dot, and a host has no capitals and underscores.
        let isLabel = bucket.utf8.allSatisfy { byte in
            byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || byte == UInt8(ascii: "-") || (byte == UInt8(ascii: ".") && !isSecure)
        }
        let name = host.lowercased().prefix { $0 != ":" }
        let isAmazon = name.hasSuffix(".amazonaws.com") || name.hasSuffix(".amazonaws.com.cn")
        switch addressing {
        case .path: return false
        case .virtual: return true
        case .automatic: return isLabel && isAmazon
        }
    }

    private static func invalid(_ text: String) -> BatchFailure {
        // It may contain a user name and a password.
        let isSafe = !text.contains("@")
        return BatchFailure(
            .configuration,
            "the endpoint of object storage\(isSafe ? " “\(text)”" : "") is invalid: use a URL such "
                + "as https://storage.example:9000, without a user, query and fragment"
        )
    }

    /// The URL of an object, or of the bucket if `key` is `nil`.
    ///
    /// The query has the order that AWS signs.
    func url(key: String? = nil, query: [String: String] = [:]) -> String {
        let object = key.map { "/" + Self.encoded($0, keepsSlashes: true) } ?? ""
        let pairs = query.sorted { $0.key < $1.key }.map { name, value in
            "\(Self.encoded(name))=\(Self.encoded(value))"
        }
        let query = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
        let path = path + object
        return origin + (path.isEmpty ? "/" : path) + query
    }

    /// Percent-encodes all bytes but unreserved ones, as signatures require.
    private static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved || (keepsSlashes && byte == UInt8(ascii: "/")) {
                bytes.append(byte)
            } else {
                PercentCoding.append(escapeOf: byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
