internal import CurlTransport
internal import Foundation

/// The challenges of one response, without the rejected ones.
struct ChallengeRound: Sendable {
    /// A scheme that the server offers.
    struct Offer: Sendable {
        let scheme: AuthenticationScheme
        let space: URLProtectionSpace
    }

    /// In order of preference. The session asks its delegate about the first one.
    private(set) var offers: [Offer]

    /// - Parameters:
    ///   - challenges: The challenges of the server.
    ///   - url: The URL of the request.
    /// - Returns: `nil` if no scheme is supported.
    init?(_ challenges: [OfferedAuthentication], url: URL) {
        let isSecure = url.isSecure
        self.init(challenges) { realm, method in
            URLProtectionSpace(
                host: url.host() ?? "",
                port: url.port ?? (isSecure ? 443 : 80),
                protocol: isSecure ? "https" : "http",
                realm: realm,
                authenticationMethod: method
            )
        }
    }

    /// - Parameters:
    ///   - challenges: The challenges of the proxy.
    ///   - url: The URL that is requested through the proxy.
    /// - Returns: `nil` if no scheme is supported.
    init?(_ challenges: [OfferedAuthentication], proxy: ProxyServer, url: URL) {
        let isSecure = url.isSecure
        self.init(challenges) { realm, method in
            URLProtectionSpace(
                proxyHost: proxy.host,
                port: proxy.port,
                type: isSecure ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy,
                realm: realm,
                authenticationMethod: method
            )
        }
    }

    private init?(
        _ challenges: [OfferedAuthentication],
        space: (_ realm: String?, _ method: String) -> URLProtectionSpace
    ) {
        let known = challenges.compactMap { challenge in
            AuthenticationScheme(name: challenge.scheme).map { scheme in
                Offer(scheme: scheme, space: space(challenge["realm"], scheme.method))
            }
        }
        guard !known.isEmpty else { return nil }
        // Offers with the same scheme stay in the server's order.
        offers = AuthenticationScheme.allCases.flatMap { scheme in
            known.filter { $0.scheme == scheme }
        }
    }

    var first: Offer? { offers.first }

    /// Removes the first offer. Returns whether another one remains.
    mutating func rejectFirst() -> Bool {
        offers.removeFirst()
        return !offers.isEmpty
    }
}
