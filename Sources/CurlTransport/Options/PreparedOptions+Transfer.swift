internal import Curl

// What the loop asks of options.

extension PreparedOptions {
    /// Tells routes apart that don't share connections: a proxy, a unix socket.
    var route: String {
        var route = ""
        if let socket = options.unixSocket { route = "\(socket)" }
        if case .server(let server, _) = options.proxy {
            route += " via \(server.kind) \(server.host):\(server.port)"
        }
        return route
    }

    var usesProxy: Bool {
        if case .none = options.proxy { false } else { true }
    }

    /// Whether a name service has to be asked before the first transfer to `endpoint`.
    func needsLookup(of endpoint: Endpoint) -> Bool {
        guard options.unixSocket == nil else { return false }
        return endpoint.hasName || usesProxy
    }

    /// Whether libcurl may answer a 401 or 407 by itself, with another request.
    var answersChallenges: Bool {
        if case .server(let server, _) = options.proxy, server.credentials != nil { return true }
        switch options.authentication {
        case nil, .basic, .bearer, .awsSigV4: return false
        case .digest, .ntlm, .negotiate, .any: return true
        }
    }

    /// A parser for one hop's heads.
    func makeParser() -> ResponseHeadParser {
        ResponseHeadParser(limits: options.responseHeadLimits, allowsRestart: answersChallenges)
    }

    /// Whether an `https` transfer may become an HTTP/2 stream.
    var offersHTTP2: Bool {
        switch options.httpVersion {
        case .automatic: HTTPVersionPolicy.offersHTTP2ByDefault
        case .http1: false
        case .http2, .http2PriorKnowledge, .http3: CurlVersion.current.supportsHTTP2
        }
    }
}
