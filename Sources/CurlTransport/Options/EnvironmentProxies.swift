/// The proxies that environment variables name, parsed as libcurl parses them.
///
/// They are read once for each set of options. libcurl would read them for each transfer on the
/// event loop's thread, and guess if a value is malformed.
struct EnvironmentProxies: Hashable {
    /// For `http`; nil for none.
    var clear: ProxyServer?

    /// For `https`; nil for none.
    var secure: ProxyServer?

    var exceptions: [String]

    /// Reads the variables through `environment`.
    init(_ environment: (String) -> String?) throws(InvalidOption) {
        func proxy(_ names: [String]) throws(InvalidOption) -> ProxyServer? {
            for name in names {
                guard let value = environment(name), !value.isEmpty else { continue }
                return try ProxyAddress.parse(value, option: "proxy (environment variable \(name))")
            }
            return nil
        }
        // HTTP_PROXY isn't read: a CGI server sets it to the client's header field "Proxy".
        clear = try proxy(["http_proxy", "all_proxy", "ALL_PROXY"])
        secure = try proxy(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
        exceptions = Self.exceptions(environment)
    }

    /// The hosts that `no_proxy` or `NO_PROXY` names.
    static func exceptions(_ environment: (String) -> String?) -> [String] {
        let list = ["no_proxy", "NO_PROXY"].lazy.compactMap(environment).first { !$0.isEmpty }
        return exceptions(in: list ?? "")
    }

    /// The hosts in a list with commas or spaces between them.
    static func exceptions(in list: String) -> [String] {
        list.split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }
}
