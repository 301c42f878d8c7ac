internal import Curl
internal import HTTPTypes

extension EasyHandle {
    /// Sets method, URL, fields and body: all that isn't an option.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_CUSTOMREQUEST.html> for why the method comes twice.
    /// `securityToken` goes with an AWS signature, which libcurl makes over it.
    mutating func apply(
        _ request: HTTPRequest,
        to endpoint: Endpoint,
        body: BodySource?,
        expectsContinue: Bool,
        securityToken: String?
    ) throws(EasyOptionFailure) {
        let path = request.path ?? "/"
        if path == "*" {
            try set(.url, endpoint.origin + "/")
            try set(.requestTarget, "*")
        } else {
            try set(.url, endpoint.origin + path)
        }
        let sendsContent = try apply(request.method, body: body)
        var headers = HeaderList(
            request.headerFields,
            sendsContent: sendsContent,
            isChunked: body != nil && body?.length == nil,
            expectsContinue: expectsContinue
        )
        if let securityToken {
            headers.append("X-Amz-Security-Token: \(securityToken)")
        }
        try set(headers: headers)
    }

    /// Sets the method, and how its content is framed. True if libcurl treats it as a POST.
    private func apply(
        _ method: HTTPRequest.Method,
        body: BodySource?
    ) throws(EasyOptionFailure) -> Bool {
        guard let body else { return try applyWithoutBody(method) }
        if let bytes = body.smallBytes {
            try set(.copyPostFields, bytes)
        } else {
            try set(.post, true)
            try set(.postFieldSize, body.length ?? -1)
            try set(.uploadBufferSize, 256 * 1024)
        }
        if method != .post {
            try set(.customRequest, method.rawValue)
        }
        return true
    }

    private func applyWithoutBody(_ method: HTTPRequest.Method) throws(EasyOptionFailure) -> Bool {
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
    /// The fields in libcurl's form, with what libcurl would add by itself taken out.
    /// See <https://curl.se/libcurl/c/CURLOPT_HTTPHEADER.html>.
    fileprivate init(
        _ fields: HTTPFields,
        sendsContent: Bool,
        isChunked: Bool,
        expectsContinue: Bool
    ) {
        self.init()
        var hasContentType = false
        var hasExpect = false
        for field in fields {
            switch field.name {
            case .contentLength, .transferEncoding:
                continue  // libcurl frames the content.
            case .contentType:
                hasContentType = true
            case .expect:
                hasExpect = true
            default:
                break
            }
            append(name: field.name.rawName, value: field.value)
        }
        guard sendsContent else { return }
        if !hasContentType { append("Content-Type:") }
        // libcurl expects by itself for large content; here the options decide.
        if !hasExpect { append(expectsContinue ? "Expect: 100-continue" : "Expect:") }
        if isChunked { append("Transfer-Encoding: chunked") }
    }
}
