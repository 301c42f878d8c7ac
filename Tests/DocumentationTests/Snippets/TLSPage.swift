internal import CurlTransport

/// What the page "TLS" shows.
struct TLSPage: Sendable {
    static func roots() throws -> HTTPClient {
        // snippet: TLS/roots
        var options = TransferOptions()
        options.tls.trustRoots = .file("/etc/company/ca.pem")
        options.tls.clientIdentity = .pemFiles(
            certificate: "/etc/service/client.pem",
            key: "/etc/service/client.key"
        )
        let client = try HTTPClient(options: options)
        // end
        return client
    }

    static func keyLog() throws {
        // snippet: TLS/keyLog
        try TLSKeyLog.disable()
        // end
    }

    static func pins(_ current: String, _ next: String) throws -> HTTPClient {
        // snippet: TLS/pins
        var options = TransferOptions()
        options.tls.publicKeyPins = ["sha256//\(current)", "sha256//\(next)"]
        let client = try HTTPClient(options: options)
        // end
        return client
    }

    static func trust(_ isRevoked: @escaping @Sendable ([String]) -> Bool) throws -> HTTPClient {
        // snippet: TLS/trust
        var hooks = ClientHooks()
        hooks.serverTrust = { trust in
            guard trust.failure == nil else { return .performDefaultHandling }
            return isRevoked(trust.certificates) ? .reject : .accept
        }
        var options = TransferOptions()
        options.tls.evaluatesServerTrust = true
        let client = try HTTPClient(options: options, hooks: hooks)
        // end
        return client
    }
}
