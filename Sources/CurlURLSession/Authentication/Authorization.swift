internal import CurlTransport
internal import Foundation

/// With what a request proves who the client is.
struct Authorization: Sendable {
    /// To the server, by HTTP.
    var server: Proof?
    /// To the server, within TLS.
    var identity: ClientIdentity?

    /// A credential, and how it is used.
    struct Proof: Sendable {
        let scheme: AuthenticationScheme
        let space: URLProtectionSpace
        let credential: URLCredential
    }

    /// The field that says it all, where one does (RFC 7617).
    var basicField: String? {
        guard let server, server.scheme == .basic else { return nil }
        let pair = "\(server.credential.user ?? ""):\(server.credential.password ?? "")"
        return "Basic \(Data(pair.utf8).base64EncodedString())"
    }

    /// Whether the engine has to be told, which a field alone doesn't need.
    var needsOptions: Bool {
        identity != nil || server.map { $0.scheme != .basic } ?? false
    }

    func apply(to options: inout TransferOptions) {
        if let identity { options.tls.clientIdentity = identity }
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
}
