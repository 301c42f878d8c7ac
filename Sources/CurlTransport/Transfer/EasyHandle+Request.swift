internal import Curl
internal import HTTPTypes

extension EasyHandle {
    /// Sets method, URL, fields and body: all that isn't an option.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_CUSTOMREQUEST.html> for why the method comes twice.
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
            // libcurl makes an AWS signature over it.
            if sendsCredentials, let token = options.securityToken {
                headers.append(name: "X-Amz-Security-Token", value: token)
            }
        }
    }

    /// Sets what a plain GET needs on a handle that knows its endpoint: the path as it stands, and
    /// the fields. libcurl then doesn't read a URL, which costs it a quarter of a small request.
    borrowing func apply(
        path: String,
        _ fields: HTTPFields,
        options: PreparedOptions
    ) throws(EasyOptionFailure) {
        try set(.requestTarget, path)
        try setHeaders { $0.append(fields, options: options) }
    }

    /// Sets the method, and how its content is framed. True if libcurl treats it as a POST.
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
            // These anticipate content, so its absence is said: `Content-Length: 0`
            // (RFC 9110 section 8.6).
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

extension HeaderList {
    /// Appends the fields in libcurl's form, but for those that frame the content, which libcurl does.
    ///
    /// What the options add of their own comes last. libcurl could add it too, but would print each
    /// of these lines twice.
    fileprivate mutating func append(_ fields: HTTPFields, options: PreparedOptions) {
        var userAgent = options.userAgentField
        var acceptEncoding = options.acceptEncodingField
        for field in fields {
            // Comparing lengths first spares most of the comparisons.
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

    /// Takes out what libcurl would add by itself for content, and adds what it wouldn't.
    /// See <https://curl.se/libcurl/c/CURLOPT_HTTPHEADER.html>.
    fileprivate mutating func appendFraming(
        _ fields: HTTPFields,
        isChunked: Bool,
        expectsContinue: Bool
    ) {
        if !fields.contains(.contentType) { append("Content-Type:") }
        // libcurl expects by itself for large content; here the options decide.
        if !fields.contains(.expect) {
            append(expectsContinue ? "Expect: 100-continue" : "Expect:")
        }
        if isChunked { append("Transfer-Encoding: chunked") }
    }
}
