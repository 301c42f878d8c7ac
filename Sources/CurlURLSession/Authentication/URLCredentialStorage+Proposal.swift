internal import Foundation

extension URLCredentialStorage {
    /// The default credential for a protection space, under any of the names that it may be stored
    /// under: with the protocol's constant, and with no particular method.
    func proposal(for space: URLProtectionSpace) -> URLCredential? {
        let constant =
            space.protocol == "https" ? NSURLProtectionSpaceHTTPS : NSURLProtectionSpaceHTTP
        for name in [space.protocol, constant] {
            for method in [space.authenticationMethod, NSURLAuthenticationMethodDefault] {
                let stored = defaultCredential(
                    for: URLProtectionSpace(
                        host: space.host,
                        port: space.port,
                        protocol: name,
                        realm: space.realm,
                        authenticationMethod: method
                    )
                )
                if let stored { return stored }
            }
        }
        return nil
    }
}
