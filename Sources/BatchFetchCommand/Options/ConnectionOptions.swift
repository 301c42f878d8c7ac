import ArgumentParser
import BatchFetch

/// The options for connections to servers.
///
/// Values that may contain passwords are parsed in `validate()`: the parser's own errors would
/// repeat them.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Proxy for all URLs: [scheme://][user:password@]host[:port], with the scheme http, https, \
            socks4, socks4a, socks5 or socks5h. By default http_proxy, https_proxy and all_proxy in \
            the environment name proxies; '' turns them off.
            """,
            valueName: "url"
        )
    )
    var proxy: String?

    @Option(
        help: ArgumentHelp(
            """
            Hosts without a proxy, separated by commas: names (subdomains included), addresses, \
            networks, * for all. Replaces no_proxy of the environment.
            """,
            valueName: "list"
        )
    )
    var noProxy: String?

    @Option(
        help: ArgumentHelp(
            """
            Connect to this address for URLs with this host and port. Several addresses are \
            separated by commas; may be repeated.
            """,
            valueName: "host:port:address"
        )
    )
    var resolve: [String] = []

    @Option(
        help: ArgumentHelp(
            "Network interface (eth0) or local address to connect from.",
            valueName: "name"
        )
    )
    var interface: String?

    @Option(
        help: ArgumentHelp(
            "Connect to this unix domain socket instead of the URLs' hosts.",
            valueName: "path"
        ),
        completion: .file()
    )
    var unixSocket: String?

    @Flag(
        help: """
            Follow redirects from https to http. By default such a URL fails.
            """
    )
    var allowDowngrade = false

    func validate() throws {
        guard interface != "" else {
            throw ValidationError("--interface is empty: name an interface or a local address.")
        }
        guard unixSocket != "" else {
            throw ValidationError("--unix-socket is empty: name a socket.")
        }
        try OptionValue.check { () throws(BatchFailure) in try connectionProxy.check("--proxy") }
    }

    private var connectionProxy: BatchProxy {
        let exceptions = noProxy.map { BatchProxy.exceptions(in: $0) }
        guard let proxy else { return .environment(exceptions: exceptions) }
        return proxy.isEmpty ? .none : .server(proxy, exceptions: exceptions)
    }

    /// The options as the library's settings.
    var connection: BatchConnection {
        var connection = BatchConnection()
        connection.proxy = connectionProxy
        connection.addresses = resolve
        connection.interface = interface
        connection.allowsDowngrade = allowDowngrade
        connection.unixSocket = unixSocket
        return connection
    }
}
