/// Whether requests go through a proxy.
public enum ProxyPolicy: Sendable, Hashable {
    /// Directly, whatever the environment says.
    case none

    /// As the process' environment says: `http_proxy` for `http`, `https_proxy` or `HTTPS_PROXY`
    /// for `https`, then `all_proxy` or `ALL_PROXY`, except for what `no_proxy` or `NO_PROXY`
    /// lists. An empty variable is as good as none.
    ///
    /// `HTTP_PROXY` is not read: in a CGI program it is the client's to set. The variables are read
    /// when options are prepared, not for each request. One that is no proxy's address is a
    /// configuration error. See <https://curl.se/libcurl/c/libcurl-env.html>.
    case environment

    /// Through `server`, except to hosts that `exceptions` lists.
    ///
    /// An exception is a host's name, which stands for those below it too (`example.com` for
    /// `www.example.com`), an IP address, a network (`192.0.2.0/24`), or `*` for all. See
    /// <https://curl.se/libcurl/c/CURLOPT_NOPROXY.html>.
    case server(ProxyServer, exceptions: [String] = [])

    /// Through one server for `http` and one for `https`, directly where there is none, and directly
    /// to hosts that `exceptions` lists, as in ``server(_:exceptions:)``.
    case servers(http: ProxyServer?, https: ProxyServer?, exceptions: [String] = [])
}
