internal import CurlURLSession
internal import Foundation

extension URLSession {
    /// A session that reaches all servers through an HTTP proxy on this machine.
    ///
    /// - Parameter more: Additional entries of the proxy dictionary.
    static func test(
        by port: Int,
        more: [AnyHashable: Any] = [:],
        delegate: (any URLSessionDelegate)? = nil,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        .test(delegate: delegate) { configuration in
            let proxies: [AnyHashable: Any] = [
                kCFNetworkProxiesHTTPEnable: 1, kCFNetworkProxiesHTTPProxy: "127.0.0.1",
                kCFNetworkProxiesHTTPPort: port, kCFNetworkProxiesHTTPSEnable: 1,
                kCFNetworkProxiesHTTPSProxy: "127.0.0.1", kCFNetworkProxiesHTTPSPort: port,
            ]
            configuration.connectionProxyDictionary = proxies.merging(more) { $1 }
            configure(configuration)
        }
    }
}
