internal import CurlTransport
internal import Foundation

/// The credentials that authenticate the client of a request.
struct Authorization: Sendable {
    /// For the server, sent in HTTP.
    var server: Proof?
    /// For the server, sent in TLS.
    var identity: ClientIdentity?
    /// Whether the delegate has provided no client certificate for the server.
    var declinesIdentity = false
    /// For the proxy.
    var proxy: Proof?

    /// A credential, its protection space and its scheme.
    struct Proof: Sendable {
        let scheme: AuthenticationScheme
        let space: URLProtectionSpace
        let credential: URLCredential
        /// Whether it is sent without a challenge, because it was accepted before.
        var isRemembered = false
    }

    /// The value of `Authorization` for Basic (RFC 7617); `nil` for other schemes.
    var basicField: String? {
        guard let server, server.scheme == .basic else { return nil }
        let pair = "\(server.credential.user ?? ""):\(server.credential.password ?? "")"
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }

    /// What remains after a redirect to another origin: the proxy's credential alone.
    var forOtherOrigins: Authorization? {
        proxy.map { Authorization(proxy: $0) }
    }

    /// Whether libcurl's options have to be set, because a header field isn't enough.
    var needsOptions: Bool {
        identity != nil || proxy != nil || server.map { $0.scheme != .basic } ?? false
    }

    /// - Throws: An error if the environment's proxies are invalid.
    func apply(to options: inout TransferOptions, isSecure: Bool) throws(TransportError) {
        if let identity { options.tls.clientIdentity = identity }
        if let proxy { try apply(proxy, to: &options, isSecure: isSecure) }
        guard let server else { return }
        let user = server.credential.user ?? ""
        let password = server.credential.password ?? ""
        switch server.scheme {
        case .basic: break
        case .digest: options.authentication = .digest(user: user, password: password)
        case .ntlm: options.authentication = .ntlm(user: user, password: password)
        case .negotiate: options.authentication = .negotiate
        }
    }

    /// Sets the proxy's credential. Only the proxy that sent the challenge gets it.
    private func apply(
        _ proof: Proof,
        to options: inout TransferOptions,
        isSecure: Bool
    ) throws(TransportError) {
        let policy = try options.proxy.resolved()
        guard var server = policy.server(isSecure: isSecure), server.host == proof.space.host,
            server.port == proof.space.port
        else { return }
        // libcurl requires a user name for Negotiate, even an empty one.
        server.credentials = Credentials(
            user: proof.credential.user ?? "",
            password: proof.credential.password ?? ""
        )
        server.authentication =
            switch proof.scheme {
            case .basic: .basic
            case .digest: .digest
            case .ntlm: .ntlm
            case .negotiate: .negotiate
            }
        options.proxy = policy.with(server, isSecure: isSecure)
    }
}
