internal import Foundation

extension URLCredentialStorage {
    /// The default credential for a protection space or an equivalent one.
    ///
    /// Equivalent spaces have the constant of the protocol, the default authentication method, or
    /// both. A space without a realm that asks for a Basic credential is also found under the
    /// name of its host as the realm.
    func proposal(for space: URLProtectionSpace) -> URLCredential? {
        for realm in space.realms {
            for method in [space.authenticationMethod, NSURLAuthenticationMethodDefault] {
                for candidate in space.namesakes(realm: realm, method: method) {
                    if let stored = defaultCredential(for: candidate) { return stored }
                }
            }
        }
        return nil
    }
}

extension URLProtectionSpace {
    /// The realms under which a credential for the space may be stored.
    fileprivate var realms: [String?] {
        realm == nil && authenticationMethod == NSURLAuthenticationMethodHTTPBasic
            ? [nil, host] : [realm]
    }

    /// The space under each name of its protocol. A proxy's type has only one name.
    fileprivate func namesakes(realm: String?, method: String) -> [URLProtectionSpace] {
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
