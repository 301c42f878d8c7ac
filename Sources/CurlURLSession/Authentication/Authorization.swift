internal import CurlTransport
internal import Foundation

/// With what a request proves who the client is.
struct Authorization: Sendable {
    /// To the server, by HTTP.
    var server: Proof?
    /// To the server, within TLS.
    var identity: ClientIdentity?
    /// To the proxy.
    var proxy: Proof?

    /// A credential, and how it is used.
    struct Proof: Sendable {
        let scheme: AuthenticationScheme
        let space: URLProtectionSpace
        let credential: URLCredential
        /// It is sent unasked, because it was accepted before.
        var isRemembered = false
    }

    /// The field that says it all, where one does (RFC 7617).
    var basicField: String? {
        guard let server, server.scheme == .basic else { return nil }
        let pair = "\(server.credential.user ?? ""):\(server.credential.password ?? "")"
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }

    /// What is left where a redirect leads elsewhere.
    var forOtherOrigins: Authorization? {
        proxy.map { Authorization(proxy: $0) }
    }

    /// Whether the engine has to be told, which a field alone doesn't need.
    var needsOptions: Bool {
        identity != nil || proxy != nil || server.map { $0.scheme != .basic } ?? false
    }

    /// - Throws: What is wrong with the environment's proxies.
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

    /// Another proxy isn't shown what was meant for the one that asked.
    private func apply(
        _ proof: Proof,
        to options: inout TransferOptions,
        isSecure: Bool
    ) throws(TransportError) {
        let policy = try options.proxy.resolved()
        guard var server = policy.server(isSecure: isSecure), server.host == proof.space.host,
            server.port == proof.space.port
        else { return }
        // For Negotiate libcurl wants a name, even an empty one.
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
