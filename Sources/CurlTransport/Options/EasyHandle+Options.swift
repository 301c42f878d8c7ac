internal import Curl

extension EasyHandle {
    /// Sets everything that doesn't depend on method, header fields and body.
    ///
    /// Called on the loop thread, once, on a new handle: what is at libcurl's default isn't set.
    ///
    /// - Parameters:
    ///   - isSecure: Whether the URL's scheme is `https`.
    ///   - sendsCredentials: Whether the URL's origin may have the credentials, which is not so
    ///     after a redirect to another one.
    ///   - waitsForMultiplexing: Whether to wait for a connection under way that may turn out to
    ///     carry several requests; for `https` only.
    borrowing func apply(
        _ options: PreparedOptions,
        isSecure: Bool,
        sendsCredentials: Bool,
        waitsForMultiplexing: Bool = false
    ) throws(InvalidOption) {
        let route = try options.route(isSecure: isSecure)
        do throws(EasyOptionFailure) {
            try set(route.settings)
            if sendsCredentials, !options.credentials.isEmpty { try set(options.credentials) }
            if waitsForMultiplexing, isSecure { try set(.pipeWait, true) }
            if !route.proxyHeaders.isEmpty {
                try set(proxyHeaders: route.proxyHeaders)
            }
            if !options.resolve.isEmpty { try set(resolve: options.resolve) }
            if !options.connectTo.isEmpty { try set(connectTo: options.connectTo) }
        } catch {
            throw InvalidOption(
                "libcurl's option \(error.option)",
                "was refused by libcurl \(CurlVersion.current.text): \(error.code)"
            )
        }
    }
}
