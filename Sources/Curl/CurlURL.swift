internal import CCurl

/// Owns libcurl's parsed form of a URL, so that what we read from a URL and what libcurl connects
/// to can't differ.
///
/// Schemes are never guessed, and only those that libcurl speaks are taken. All bytes are ASCII
/// but those of an internationalised host name, which is left to libcurl: what isn't ASCII in a
/// path, a query or a fragment is percent-encoded. May be used on any thread, by one at a time.
/// Source: <https://curl.se/libcurl/c/libcurl-url.html>.
@safe package struct CurlURL: ~Copyable {
    let handle: OpaquePointer

    /// Parses an absolute URL, whose path is taken as it stands: dot segments stay.
    ///
    /// Spaces and control bytes are refused.
    package init(parsing text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        if let offset = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7f }) {
            throw Failure(.illegalByte(bytes[offset], offset: offset))
        }
        let parts = URLReference(splitting: bytes)
        guard parts.scheme != nil else { throw Failure(.noScheme) }
        try parts.requireHost()
        unsafe handle = try Self.parse(parts.encoded, flags: CURLU_PATH_AS_IS)
    }

    /// Resolves a reference, such as the value of a Location field, against an absolute URL.
    ///
    /// Dot segments are resolved, and bytes that have no place in a URL but are sent by servers,
    /// such as spaces, are percent-encoded. Source: RFC 3986, section 5.
    package init(
        parsing reference: some Collection<UInt8>,
        relativeTo base: borrowing CurlURL
    ) throws(Failure) {
        var parts = URLReference(splitting: Array(reference))
        var flags: Int32 = 0
        if parts.scheme == nil {
            parts.scheme = Array(base.scheme.utf8)
            if parts.authority == nil {
                parts.authority = Array(base.authority.utf8)
                // A path that is taken over whole is left as it is.
                if parts.path.isEmpty { flags = CURLU_PATH_AS_IS }
                parts.inheritPath(of: base.path, query: base.query)
            }
        }
        try parts.requireHost()
        unsafe handle = try Self.parse(parts.encoded, flags: flags)
    }

    /// As above, for a reference that is text.
    package init(
        parsing reference: String,
        relativeTo base: borrowing CurlURL
    ) throws(Failure) {
        try self.init(parsing: Array(reference.utf8), relativeTo: base)
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    private static func parse(
        _ text: String,
        flags: Int32
    ) throws(Failure) -> OpaquePointer {
        guard let handle = unsafe curl_url() else { throw Failure(.outOfMemory) }
        let code = unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(flags))
        guard code == CURLUE_OK else {
            unsafe curl_url_cleanup(handle)
            throw Failure(code)
        }
        return unsafe handle
    }

    /// One part of the URL; nil where the URL doesn't have it.
    private func part(_ part: CURLUPart, flags: Int32 = 0) throws(Failure) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(handle, part, &text, UInt32(flags))
        defer { unsafe curl_free(text) }
        guard code == CURLUE_OK else {
            // "No such part" is an answer. A part that can't be decoded is a failure.
            guard code == CURLUE_URLDECODE else { return nil }
            throw Failure(code)
        }
        guard let text = unsafe text else { return nil }
        return unsafe String(cString: text)
    }

    private func optional(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        do throws(Failure) {
            return try self.part(part, flags: flags)
        } catch {
            return nil
        }
    }
}

extension CurlURL {
    /// The scheme in lower case.
    package var scheme: String { (optional(CURLUPART_SCHEME) ?? "").lowercased() }

    /// The host as libcurl sees it: an IPv6 address in brackets, an IPv4 address in its usual form.
    package var host: String { optional(CURLUPART_HOST) ?? "" }

    /// The port that the URL names, or that of its scheme.
    package var port: UInt16 {
        optional(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { UInt16($0) } ?? 0
    }

    /// The port, where it isn't that of the scheme.
    package var explicitPort: UInt16? {
        optional(CURLUPART_PORT, flags: CURLU_NO_DEFAULT_PORT).flatMap { UInt16($0) }
    }

    /// Host and port as a Host field has them, with the zone of a scoped IPv6 address.
    package var authority: String {
        var text = host
        if let zone = optional(CURLUPART_ZONEID), text.last == "]" {
            text.removeLast()
            text += "%25\(zone)]"
        }
        if let explicitPort { text += ":\(explicitPort)" }
        return text
    }

    /// Whether the host is an IPv6 address with a zone.
    package var hasZone: Bool { optional(CURLUPART_ZONEID) != nil }

    /// The user name, percent-decoded. Fails if it would hold a control byte.
    package var user: String? {
        get throws(Failure) { try part(CURLUPART_USER, flags: CURLU_URLDECODE) }
    }

    /// The password, percent-decoded. Fails if it would hold a control byte.
    package var password: String? {
        get throws(Failure) { try part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE) }
    }

    /// Whether the URL carries a user name or a password.
    package var hasUserInfo: Bool {
        optional(CURLUPART_USER) != nil || optional(CURLUPART_PASSWORD) != nil
    }

    /// The path, percent-encoded; never empty.
    package var path: String { optional(CURLUPART_PATH) ?? "/" }

    /// What follows the question mark, percent-encoded; empty if nothing does, nil without one.
    package var query: String? { optional(CURLUPART_QUERY) }

    /// What follows the hash, percent-encoded.
    package var fragment: String? { optional(CURLUPART_FRAGMENT) }

    /// Path and query, as a request line has them.
    package var pathAndQuery: String { query.map { "\(path)?\($0)" } ?? path }

    /// The URL without user name, password and fragment.
    package var string: String { "\(scheme)://\(authority)\(pathAndQuery)" }

    /// The URL for messages: no user name, no password, no query, no fragment.
    package var redacted: String { "\(scheme)://\(authority)\(path)" }

    /// Whether the host is an address, so that there is no name to look up.
    package var isNumericHost: Bool {
        let host = host
        if host.utf8.first == UInt8(ascii: "[") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) && UInt8($0) != nil }
    }

    /// Whether both URLs have the same scheme, host and port. Source: RFC 6454, section 5.
    package func hasSameOrigin(as other: borrowing CurlURL) -> Bool {
        scheme == other.scheme && port == other.port
            && authorityHost == other.authorityHost
    }

    private var authorityHost: String {
        (host + (optional(CURLUPART_ZONEID) ?? "")).lowercased()
    }
}
