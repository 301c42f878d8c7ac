internal import CurlNetworking
internal import CurlTransport
internal import Foundation

/// What the page "Trust" shows.
struct Trust: Sendable {
    let print: Print

    static func pins(_ manager: HTTPSessionManager, _ folder: URL) throws {
        // snippet: Trust/pins
        let found = try SecurityPolicy.certificates(inDirectory: folder)
        let pinned = SecurityPolicy(
            pinningMode: .publicKey,
            withPinnedCertificates: found.certificates
        )
        try manager.setSecurityPolicy(pinned)
        // end
    }

    static func perHost(_ manager: HTTPSessionManager, _ pinned: SecurityPolicy) {
        // snippet: Trust/perHost
        manager.securityPolicy = PerHostSecurityPolicy(policies: [
            "api.example.com": pinned,
            "*.example.com": .default(),
        ])
        // end
    }

    static func roots(_ url: URL) -> HTTPSessionManager {
        // snippet: Trust/roots
        let configuration = URLSessionConfiguration.default
        configuration.tlsConfiguration.trustRoots = .file("/etc/company/ca.pem")
        let manager = HTTPSessionManager(baseURL: url, sessionConfiguration: configuration)
        // end
        return manager
    }

    static func client() -> URLSessionConfiguration {
        // snippet: Trust/client
        let configuration = URLSessionConfiguration.default
        configuration.tlsConfiguration.clientIdentity = .pemFiles(
            certificate: "/etc/service/client.pem",
            key: "/etc/service/client.key"
        )
        // end
        return configuration
    }

    static func identity(_ manager: HTTPSessionManager, _ identity: SecIdentity) {
        // snippet: Trust/identity
        manager.setAuthenticationChallengeHandler { session, task, challenge, completion in
            let method = challenge.protectionSpace.authenticationMethod
            guard method == NSURLAuthenticationMethodClientCertificate else {
                return .performDefaultHandling
            }
            return .use(
                URLCredential(identity: identity, certificates: nil, persistence: .forSession)
            )
        }
        // end
    }

    func failure(_ manager: HTTPSessionManager) async {
        // snippet: Trust/failure
        do {
            try await manager.get("users")
        } catch {
            if case .serverTrust(let check) = NetworkingError(error).kind {
                print(check?.localizedDescription ?? "the server isn't trusted")
            }
        }
        // end
    }

    static func settings(_ policy: SecurityPolicy) throws -> SecurityPolicy {
        // snippet: Trust/settings
        let data = try JSONEncoder().encode(policy.settings)
        let settings = try JSONDecoder().decode(SecurityPolicySettings.self, from: data)
        let same = SecurityPolicy(settings: settings)
        // end
        return same
    }
}
