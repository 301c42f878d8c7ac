internal import Foundation

extension URLCredentialStorage {
    /// The default credential for a protection space, under any of the names that it may be stored
    /// under: with the protocol's constant, and with no particular method.
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
    /// The same space under each name that its protocol has; a proxy's type has one.
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
