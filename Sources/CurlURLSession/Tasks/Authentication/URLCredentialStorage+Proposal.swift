internal import Foundation

extension URLCredentialStorage {
    /// The default credential for a protection space or an equivalent one.
    ///
    /// Equivalent spaces have the constant of the protocol, the default authentication method, or
    /// both.
    func proposal(for space: URLProtectionSpace) -> URLCredential? {
        for method in [space.authenticationMethod, NSURLAuthenticationMethodDefault] {
            for candidate in space.namesakes(method: method) {
                if let stored = defaultCredential(for: candidate) { return stored }
            }
        }
        return nil
    }
}

extension URLProtectionSpace {
    /// The space under each name of its protocol. A proxy's type has only one name.
    fileprivate func namesakes(method: String) -> [URLProtectionSpace] {
        guard !isProxy() else {
            return [
                URLProtectionSpace(
                    proxyHost: host,
                    port: port,
                    type: proxyType,
                    realm: realm,
                    authenticationMethod: method
                )
            ]
        }
        let constant =
            `protocol` == "https" ? NSURLProtectionSpaceHTTPS : NSURLProtectionSpaceHTTP
        return [`protocol`, constant].map { name in
            URLProtectionSpace(
                host: host,
                port: port,
                protocol: name,
                realm: realm,
                authenticationMethod: method
            )
        }
    }
}
