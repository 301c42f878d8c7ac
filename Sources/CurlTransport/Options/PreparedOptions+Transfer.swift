internal import Curl

// What the loop asks of options.

extension PreparedOptions {
    /// Whether a name service has to be asked before the first transfer to `endpoint`.
    func needsLookup(of endpoint: Endpoint) -> Bool {
        guard options.unixSocket == nil else { return false }
        return endpoint.hasName || usesProxy(isSecure: endpoint.isSecure)
    }

    /// A parser for one hop's heads.
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

    /// Whether what the options add to the fields comes in one list with them. libcurl tells a proxy
    /// its own fields alone, and signs all that is in the list for AWS, which others on the way may
    /// change.
    var listsOwnFields: Bool {
        if case .awsSigV4 = authentication { return false }
        return proxy == .none
    }

    var answersChallenges: Bool {
        if proxyServers.contains(where: { $0.credentials != nil }) { return true }
        switch authentication {
        case nil, .basic, .bearer, .awsSigV4: return false
        case .digest, .ntlm, .negotiate, .any: return true
        }
    }

    /// The proxies that were given; those of the environment aren't known yet.
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

    /// A handle keeps the last server's challenge, with which it would answer the next server, and
    /// hands its addresses to the name cache only once, from which they vanish in time. A proxy is
    /// told the whole URL, and AWS's signature is made over it.
    var allowsPlainHandles: Bool {
        guard proxy == .none, !tls.evaluatesServerTrust else { return false }
        switch authentication {
        case nil, .basic, .bearer: return true
        case .awsSigV4, .digest, .ntlm, .negotiate, .any: return false
        }
    }
}
