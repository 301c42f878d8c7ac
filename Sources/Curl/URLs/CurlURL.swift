internal import CCurl

/// Owns a URL that libcurl has parsed.
///
/// So this library and libcurl can't interpret a URL differently. Schemes are never guessed, and
/// must be supported by libcurl. All bytes are ASCII, except those of an internationalised host
/// name, which libcurl converts. Other characters in a path, a query or a fragment are
/// percent-encoded. A host with more than ``maximumHostLength`` characters is rejected: libcurl has
/// no limit, and clients store the hosts of redirects. May be used on any thread, by one at a time.
/// Source: <https://curl.se/libcurl/c/libcurl-url.html>.
@safe package struct CurlURL: ~Copyable {
    let handle: OpaquePointer

    /// The maximum number of characters of a host, without a final dot.
    ///
    /// A name of the DNS has at most 255 bytes with the lengths of its labels (RFC 1035, section
    /// 2.3.4). An internationalised name doesn't get shorter there.
    package static let maximumHostLength = 253

    /// Parses an absolute URL. The path is unchanged: dot segments are kept.
    ///
    /// Spaces and control bytes are rejected.
    package init(parsing text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        if let offset = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7f }) {
            throw Failure(.illegalByte(bytes[offset], offset: offset))
        }
        let parts = URLReference(splitting: bytes)
        guard parts.scheme != nil else { throw Failure(.noScheme) }
        try parts.requireHost()
        unsafe handle = try Self.parse(parts, flags: CURLU_PATH_AS_IS)
    }

    /// Resolves a reference, such as the value of a Location field, against an absolute URL.
    ///
    /// Dot segments are removed. Bytes that a URL can't contain but that servers send, such as
    /// spaces, are percent-encoded. Source: RFC 3986, section 5.
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
                // A path that is inherited completely stays unchanged.
                if parts.path.isEmpty { flags = CURLU_PATH_AS_IS }
                parts.inheritPath(of: base.path, query: base.query)
            }
        }
        try parts.requireHost()
        unsafe handle = try Self.parse(parts, flags: flags)
    }

    /// The same for a reference as text.
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
        _ parts: URLReference,
        flags: Int32
    ) throws(Failure) -> OpaquePointer {
        guard let handle = unsafe curl_url() else { throw Failure(.outOfMemory) }
        let code = unsafe curl_url_set(handle, CURLUPART_URL, parts.encoded, UInt32(flags))
        guard code == CURLUE_OK else {
            unsafe curl_url_cleanup(handle)
            throw Failure(code)
        }
        // libcurl decodes the host, which makes it shorter.
        if let authority = parts.authority, authority.count > maximumHostLength,
            unsafe hasLongHost(handle)
        {
            unsafe curl_url_cleanup(handle)
            throw Failure(.longHost)
        }
        return unsafe handle
    }

    private static func hasLongHost(_ handle: OpaquePointer) -> Bool {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(handle, CURLUPART_HOST, &text, 0)
        defer { unsafe curl_free(text) }
        guard code == CURLUE_OK, let text = unsafe text else { return false }
        let host = unsafe String(cString: text)
        let dots = host.utf8.last == UInt8(ascii: ".") ? 1 : 0
        return host.unicodeScalars.count - dots > maximumHostLength
    }

    /// One part of the URL; nil if the URL doesn't have it.
    private func part(_ part: CURLUPart, flags: Int32 = 0) throws(Failure) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(handle, part, &text, UInt32(flags))
        defer { unsafe curl_free(text) }
        guard code == CURLUE_OK else {
            // A missing part is a result. A part that can't be decoded is an error.
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

    /// The host in libcurl's form: an IPv6 address in brackets, an IPv4 address normalised.
    package var host: String { optional(CURLUPART_HOST) ?? "" }

    /// The host as it is looked up: an internationalised name in ASCII.
    ///
    /// Nil if libcurl can't convert it, for example because the process's locale isn't in UTF-8.
    /// libcurl before 7.88 never does it here. See
    /// <https://curl.se/libcurl/c/curl_url_get.html>.
    package var asciiHost: String? {
        guard let host = optional(CURLUPART_HOST, flags: Int32(ccurl_url_punycode)),
            host.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        return host
    }

    /// The port of the URL, or the scheme's default.
    package var port: UInt16 {
        optional(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap { UInt16($0) } ?? 0
    }

    /// The port, unless it is the scheme's default.
    package var explicitPort: UInt16? {
        optional(CURLUPART_PORT, flags: CURLU_NO_DEFAULT_PORT).flatMap { UInt16($0) }
    }

    /// Host and port as in a Host field, with an IPv6 zone.
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

    /// The user name, percent-decoded. Fails if it contains a control byte.
    package var user: String? {
        get throws(Failure) { try part(CURLUPART_USER, flags: CURLU_URLDECODE) }
    }

    /// The password, percent-decoded. Fails if it contains a control byte.
    package var password: String? {
        get throws(Failure) { try part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE) }
    }

    /// Whether the URL has a user name or a password.
    package var hasUserInfo: Bool {
        optional(CURLUPART_USER) != nil || optional(CURLUPART_PASSWORD) != nil
    }

    /// The path, percent-encoded; never empty.
    package var path: String { optional(CURLUPART_PATH) ?? "/" }

    /// The text after the question mark, percent-encoded; nil without a question mark.
    package var query: String? {
        optional(CURLUPART_QUERY, flags: Int32(ccurl_url_get_empty))
    }

    /// The text after the hash, percent-encoded.
    package var fragment: String? { optional(CURLUPART_FRAGMENT) }

    /// Path and query, as in a request line.
    package var pathAndQuery: String { query.map { "\(path)?\($0)" } ?? path }

    /// The URL without user name, password and fragment.
    package var string: String { "\(scheme)://\(authority)\(pathAndQuery)" }

    /// The URL for messages, without user name, password, query and fragment.
    package var redacted: String { "\(scheme)://\(authority)\(path)" }

    /// Whether the host is an address, which needs no lookup.
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
