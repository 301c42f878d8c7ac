internal import Curl
internal import HTTPTypes
internal import Posix

extension EasyHandle {
    /// Sets method, URL, fields and body: everything that isn't an option.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_CUSTOMREQUEST.html> for why the method is set twice.
    borrowing func apply(
        _ request: HTTPRequest,
        to endpoint: Endpoint,
        body: BodySource?,
        options: PreparedOptions,
        sendsCredentials: Bool
    ) throws(EasyOptionFailure) {
        let path = request.path ?? "/"
        if path == "*" {
            try set(.url, endpoint.origin + "/")
            try set(.requestTarget, "*")
        } else {
            try set(.url, endpoint.origin + path)
            if path.hasEmptyQuery, !(sendsCredentials && options.mayUseDigest) {
                try keepEmptyQuery(of: path, at: endpoint, options)
            }
            // Newer versions of libcurl refuse an AWS signature together with `PATH_AS_IS`.
            if sendsCredentials, options.isSigned, !path.hasDotSegments {
                try set(.pathAsIs, false)
            }
        }
        let sendsContent = try apply(request.method, body: body)
        try setHeaders { headers in
            headers.append(request.headerFields, options: options)
            if sendsContent {
                headers.appendFraming(
                    request.headerFields,
                    isChunked: body != nil && body?.length == nil,
                    expectsContinue: options.options.expectContinue != nil
                )
            }
            // libcurl includes this field in the AWS signature.
            if sendsCredentials, let token = options.securityToken {
                headers.append(name: "X-Amz-Security-Token", value: token)
            }
        }
    }

    // To parse a URL would cost a quarter of a small request.
    /// Sets the path and the fields of a plain GET.
    ///
    /// The handle must have an endpoint. libcurl then parses no URL.
    borrowing func apply(
        path: String,
        _ fields: HTTPFields,
        options: PreparedOptions
    ) throws(EasyOptionFailure) {
        try set(.requestTarget, path)
        try setHeaders { $0.append(fields, options: options) }
    }

    /// Sets the request target separately from the URL, to keep the question mark.
    ///
    /// Since 8.8, libcurl removes the question mark of an empty query from the URL. Older versions
    /// do so if they send the whole URL to a proxy. Not for Digest, whose response contains the
    /// target that libcurl parses from the URL.
    private borrowing func keepEmptyQuery(
        of path: String,
        at endpoint: Endpoint,
        _ options: PreparedOptions
    ) throws(EasyOptionFailure) {
        guard let url = try? CurlURL(parsing: endpoint.origin + path) else { return }
        let isAbsolute = options.asksProxyForURLs && !endpoint.isSecure
        try set(.requestTarget, isAbsolute ? url.string : url.pathAndQuery)
    }

    /// Sets the method and the framing of the content. Returns whether libcurl treats it as a POST.
    private borrowing func apply(
        _ method: HTTPRequest.Method,
        body: BodySource?
    ) throws(EasyOptionFailure) -> Bool {
        guard let body else { return try applyWithoutBody(method) }
        if let bytes = body.smallBytes {
            try set(.copyPostFields, bytes)
        } else {
            try set(.post, true)
            try set(.postFieldSize, body.length ?? -1)
            try set(.uploadBufferSize, body.bufferSize)
        }
        if method != .post {
            try set(.customRequest, method.rawValue)
        }
        return true
    }

    private borrowing func applyWithoutBody(_ method: HTTPRequest.Method) throws(EasyOptionFailure)
        -> Bool
    {
        switch method {
        case .get:
            return false
        case .head:
            try set(.noBody, true)
            return false
        case .post, .put, .patch:
            // These methods anticipate content, so `Content-Length: 0` states its absence (RFC
            // 9110, section 8.6).
            try set(.copyPostFields, [])
            if method != .post {
                try set(.customRequest, method.rawValue)
            }
            return true
        default:
            try set(.customRequest, method.rawValue)
            return false
        }
    }
}

extension String {
    /// Whether a path ends with a question mark, not counting a fragment.
    fileprivate var hasEmptyQuery: Bool {
        let text = prefix { $0 != "#" }
        return text.last == "?" && !text.dropLast().contains("?")
    }

    /// Whether a path has segments `.` or `..`, percent-encoded or not.
    fileprivate var hasDotSegments: Bool {
        prefix { $0 != "?" && $0 != "#" }.lowercased().split(separator: "/").contains { segment in
            [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"].contains { $0 == segment }
        }
    }
}

extension HeaderList {
    /// Appends the fields in libcurl's form, except those that frame the content.
    ///
    /// libcurl adds the framing itself. The fields of the options come last. libcurl could add
    /// them, too, but its verbose output would contain each of these lines twice.
    fileprivate mutating func append(_ fields: HTTPFields, options: PreparedOptions) {
        var userAgent = options.userAgentField
        var acceptEncoding = options.acceptEncodingField
        for field in fields {
            // Comparing the lengths first avoids most string comparisons.
            let name = field.name.canonicalName
            switch name.utf8.count {
            case 10 where name == "user-agent": userAgent = nil
            case 15 where name == "accept-encoding": acceptEncoding = nil
            case 14 where name == "content-length": continue
            case 17 where name == "transfer-encoding": continue
            default: break
            }
            append(name: field.name.rawName, value: field.value)
        }
        if let userAgent { append(userAgent) }
        if let acceptEncoding { append(acceptEncoding) }
    }

    /// Removes fields that libcurl adds for content, and adds missing ones.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_HTTPHEADER.html>.
    fileprivate mutating func appendFraming(
        _ fields: HTTPFields,
        isChunked: Bool,
        expectsContinue: Bool
    ) {
        if !fields.contains(.contentType) { append("Content-Type:") }
        // libcurl sends `Expect` with large content by default; here the options decide.
        if !fields.contains(.expect) {
            append(expectsContinue ? "Expect: 100-continue" : "Expect:")
        }
        if isChunked { append("Transfer-Encoding: chunked") }
    }
}

extension EasyHandle {
    /// Sets all options that don't depend on the method, header fields or body.
    ///
    /// Called once on the loop thread, with a new handle. Options with libcurl's default aren't
    /// set.
    ///
    /// - Parameters:
    ///   - isSecure: Whether the URL's scheme is `https`.
    ///   - sendsCredentials: Whether credentials may be sent to the URL's origin. False after a
    ///     redirect to another origin.
    ///   - waitsForMultiplexing: Whether to wait for a connection that is being established,
    ///     because it may be able to multiplex; for `https` only.
    borrowing func apply(
        _ options: PreparedOptions,
        isSecure: Bool,
        sendsCredentials: Bool,
        waitsForMultiplexing: Bool = false
    ) throws(InvalidOption) {
        let route = try options.route(isSecure: isSecure)
        do throws(EasyOptionFailure) {
            try set(route.settings)
            if sendsCredentials, !options.credentials.isEmpty { try set(options.credentials) }
            if waitsForMultiplexing, isSecure { try set(.pipeWait, true) }
            if !route.proxyHeaders.isEmpty {
                try set(proxyHeaders: route.proxyHeaders)
            }
            if !options.resolve.isEmpty { try set(resolve: options.resolve) }
            if !options.connectTo.isEmpty { try set(connectTo: options.connectTo) }
        } catch {
            throw InvalidOption(
                "libcurl's option \(error.option)",
                "was refused by libcurl \(CurlVersion.current.text): \(error.code)"
            )
        }
    }
}
