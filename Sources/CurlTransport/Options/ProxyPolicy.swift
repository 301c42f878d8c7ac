/// Whether requests go through a proxy.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ProxyPolicy: Sendable, Hashable {
    /// No proxy; the environment is ignored.
    case none

    /// The proxies that the process' environment variables name.
    ///
    /// These are `http_proxy` for `http`, `https_proxy` or `HTTPS_PROXY` for `https`, then
    /// `all_proxy` or `ALL_PROXY`. There is no proxy for hosts in `no_proxy` or `NO_PROXY`. An
    /// empty variable counts as unset.
    ///
    /// `HTTP_PROXY` isn't read: in a CGI program, the client can set it. The variables are read
    /// when options are prepared, not for each request. A value that is not a proxy's address is a
    /// configuration error. See <https://curl.se/libcurl/c/libcurl-env.html>.
    case environment

    /// Through `server`, except to the hosts in `exceptions`.
    ///
    /// An exception is a host name, which includes its subdomains (`example.com` matches
    /// `www.example.com`), an IP address, a network (`192.0.2.0/24`), or `*` for all hosts. See
    /// <https://curl.se/libcurl/c/CURLOPT_NOPROXY.html>.
    case server(ProxyServer, exceptions: [String] = [])

    /// One proxy for `http` and one for `https`; nil connects directly.
    ///
    /// Hosts in `exceptions` are connected to directly, as in ``server(_:exceptions:)``.
    case servers(http: ProxyServer?, https: ProxyServer?, exceptions: [String] = [])
}
