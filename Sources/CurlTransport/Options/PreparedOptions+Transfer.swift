internal import ContentCoding
internal import Curl
internal import HTTPTypes
internal import Posix

// Properties of options that the loop uses.

extension PreparedOptions {
    /// Whether the first transfer to `endpoint` needs a name lookup.
    func needsLookup(of endpoint: Endpoint) -> Bool {
        guard options.unixSocket == nil else { return false }
        return endpoint.hasName || usesProxy(isSecure: endpoint.isSecure)
    }

    /// How requests to `endpoint` are signed for AWS; nil if they aren't.
    func signatureProvider(
        for endpoint: Endpoint
    ) throws(TransportError) -> SignatureProvider? {
        guard case .awsSigV4(let provider, _, _, _) = options.authentication else { return nil }
        return try SignatureProvider(provider, host: endpoint.host)
    }

    /// A parser for the response heads of one attempt.
    func makeParser() -> ResponseHeadParser {
        ResponseHeadParser(limits: options.responseHeadLimits, allowsRestart: answersChallenges)
    }
}

extension TransferOptions {
    var route: String {
        var route = ""
        if let unixSocket { route = "\(unixSocket)" }
        for server in proxyServers {
            route += " via \(server.kind) \(server.host):\(server.port)"
        }
        return route
    }

    /// Whether the user agent is part of the field list.
    ///
    /// It isn't with a proxy or an AWS signature. libcurl sends a proxy only its own fields. And it
    /// signs all listed fields for AWS, but intermediaries may change this one.
    var listsOwnFields: Bool { !isSignedForAWS && proxy == .none }

    /// The user agent of requests without one of their own.
    var sentUserAgent: String? { omittedFields.contains(.userAgent) ? nil : userAgent }

    /// Whether requests ask for content codings by themselves.
    var requestsCodings: Bool { decodesContent && !omittedFields.contains(.acceptEncoding) }

    /// The line of the user agent, unless libcurl adds it.
    var ownUserAgentField: String? {
        listsOwnFields ? sentUserAgent.map { "User-Agent: \($0)" } : nil
    }

    /// The line of the content codings, unless libcurl adds it.
    var ownAcceptEncodingField: String? {
        requestsCodings && !isSignedForAWS ? "Accept-Encoding: \(ContentCoding.accepted)" : nil
    }

    var isSignedForAWS: Bool {
        if case .awsSigV4 = authentication { true } else { false }
    }

    /// Whether libcurl's AWS signature also covers the fields that aren't sent.
    ///
    /// Servers refuse it then (<https://github.com/curl/curl/issues/11664>).
    var signsRemovedFields: Bool { isSignedForAWS && !CurlVersion.current.isAtLeast(8, 3) }

    var answersChallenges: Bool {
        if proxyServers.contains(where: { $0.credentials != nil }) { return true }
        switch authentication {
        case nil, .basic, .bearer, .awsSigV4: return false
        case .digest, .ntlm, .negotiate, .any: return true
        }
    }

    /// The configured proxies. Those of the environment aren't known yet.
    private var proxyServers: [ProxyServer] {
        switch proxy {
        case .none, .environment: []
        case .server(let server, _): [server]
        case .servers(let http, let https, _): [http, https].compactMap(\.self)
        }
    }

    var offersHTTP2: Bool {
        switch httpVersion {
        case .automatic: HTTPVersionPolicy.offersHTTP2ByDefault
        case .http1: false
        case .http2, .http2PriorKnowledge, .http3: CurlVersion.current.supportsHTTP2
        }
    }

    /// Whether these options allow following an announcement of HTTP/3 (`Alt-Svc`).
    var mayUseAltSvc: Bool {
        guard usesAltSvc, CurlVersion.current.supportsHTTP3, unixSocket == nil,
            reusesConnection
        else { return false }
        // QUIC requires TLS 1.3.
        if let maximum = tls.maximumVersion, maximum != .v1_3 { return false }
        switch httpVersion {
        case .automatic, .http2: return true
        case .http1, .http2PriorKnowledge, .http3: return false
        }
    }

    /// Whether handles that only change path and fields between transfers are allowed.
    ///
    /// Not with challenges: a handle keeps the last server's challenge and would answer the next
    /// server with it. Not with addresses of its own: a handle adds them to the name cache only
    /// once, and they expire there. Not with a proxy, which is sent the whole URL, and whose
    /// answers `FirstFieldGuard` of `Curl` doesn't cover. Not with an AWS signature, which covers
    /// the URL.
    var allowsPlainHandles: Bool {
        guard proxy == .none, !tls.evaluatesServerTrust, !tls.failsOnCertificateRequest else {
            return false
        }
        switch authentication {
        case nil, .basic, .bearer: return true
        case .awsSigV4, .digest, .ntlm, .negotiate, .any: return false
        }
    }
}

extension Authentication {
    /// Whether libcurl signs the hash of content that a request has in `x-amz-content-sha256`.
    ///
    /// libcurl does since 7.87.
    package static var signsGivenContentHash: Bool { CurlVersion.current.isAtLeast(7, 87) }
}
