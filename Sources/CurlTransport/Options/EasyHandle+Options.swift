internal import Curl
internal import Posix

extension EasyHandle {
    /// Sets all options that don't depend on the method, header fields or body.
    ///
    /// Called once on the loop thread, with a new handle. Options with libcurl's default aren't
    /// set.
    ///
    /// - Parameters:
    ///   - isSecure: Whether the URL's scheme is `https`.
    ///   - sendsCredentials: Whether credentials may be sent to the URL's origin. False after a
    ///     redirect to another origin.
    ///   - waitsForMultiplexing: Whether to wait for a connection that is being established,
    ///     because it may be able to multiplex; for `https` only.
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
