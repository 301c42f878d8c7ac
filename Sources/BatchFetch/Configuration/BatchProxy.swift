internal import CurlTransport

/// The proxies of a run.
///
/// An exception is a host name, which includes its subdomains, an IP address, a network
/// (`192.0.2.0/24`), or `*` for all hosts. See <https://curl.se/libcurl/c/CURLOPT_NOPROXY.html>.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BatchProxy: Sendable, Hashable {
    /// No proxy; the environment is ignored.
    case none

    /// The proxies that the process' environment variables name, as the `curl` command reads them.
    ///
    /// These are `http_proxy` for `http`, `https_proxy` or `HTTPS_PROXY` for `https`, then
    /// `all_proxy` or `ALL_PROXY`. `HTTP_PROXY` isn't read, because a client of a CGI program can
    /// set it. `exceptions` are the hosts without a proxy; `nil` takes them from `no_proxy` or
    /// `NO_PROXY`. The variables are read when the run starts. See
    /// <https://curl.se/libcurl/c/libcurl-env.html>.
    case environment(exceptions: [String]? = nil)

    /// One proxy for all URLs.
    ///
    /// Its address has the form `[scheme://][user[:password]@]host[:port]`, with percent-encoded
    /// user and password. The schemes are `http` (the default), `https`, `socks4`, `socks4a`,
    /// `socks5` and `socks5h`; the proxy resolves the names with `socks4a` and `socks5h`. The
    /// default port is 1080, and 443 for `https`. `exceptions` are as for ``environment(exceptions:)``.
    case server(String, exceptions: [String]? = nil)
}

extension BatchProxy {
    /// Checks the address of a proxy; `option` is its name in the error.
    ///
    /// - Throws: ``BatchFailure/Code/configuration``. The error never contains the address, which
    ///   may have a password.
    package func check(_ option: String) throws(BatchFailure) {
        guard case .server = self else { return }
        _ = try policy(option)
    }

    /// The proxies in the transport's form.
    func policy(_ option: String) throws(BatchFailure) -> ProxyPolicy {
        do throws(TransportError) {
            switch self {
            case .none: return .none
            case .environment(let exceptions):
                let policy = try ProxyPolicy.environment.resolved()
                // With a proxy policy, requests take longer to set up.
                guard [true, false].contains(where: { policy.server(isSecure: $0) != nil }) else {
                    return .none
                }
                guard let exceptions else { return policy }
                return try policy.excepting(exceptions)
            case .server(let address, let exceptions):
                return .server(
                    try ProxyServer(address: address, option: option),
                    exceptions: exceptions ?? ProxyPolicy.environmentExceptions
                )
            }
        } catch {
            throw BatchFailure(startingWith: error)
        }
    }

    /// Parses a list of exceptions with commas or spaces between them.
    package static func exceptions(in list: String) -> [String] { ProxyPolicy.exceptions(in: list) }
}

extension BatchProxy: CustomStringConvertible, CustomReflectable {
    /// The kind of the setting, without addresses: they may have passwords.
    public var description: String {
        switch self {
        case .none: "none"
        case .environment: "environment"
        case .server: "server"
        }
    }

    /// Shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
