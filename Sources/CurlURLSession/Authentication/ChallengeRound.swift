internal import CurlTransport
internal import Foundation

/// One response that asks who the client is, and the ways to answer that are left.
struct ChallengeRound: Sendable {
    /// A way that the server offers.
    struct Offer: Sendable {
        let scheme: AuthenticationScheme
        let space: URLProtectionSpace
    }

    /// In the order of preference; the first is the one that is asked about.
    private(set) var offers: [Offer]

    /// - Parameters:
    ///   - challenges: What the server offers.
    ///   - url: Where it was asked for.
    /// - Returns: `nil` where none of it is known here.
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
    ///   - challenges: What the proxy offers.
    ///   - url: What it was to lead to.
    /// - Returns: `nil` where none of it is known here.
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
        // Within a scheme, in the server's order.
        offers = AuthenticationScheme.allCases.flatMap { scheme in
            known.filter { $0.scheme == scheme }
        }
    }

    var first: Offer? { offers.first }

    /// The first way isn't taken. False if there is no other.
    mutating func rejectFirst() -> Bool {
        offers.removeFirst()
        return !offers.isEmpty
    }
}
