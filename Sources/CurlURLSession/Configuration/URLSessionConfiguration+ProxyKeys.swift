// The keys of `URLSessionConfiguration.connectionProxyDictionary`, with the names and values of
// `CFNetwork`.

/// Whether ``kCFNetworkProxiesHTTPProxy`` is used: 1 or 0.
public let kCFNetworkProxiesHTTPEnable: String = "HTTPEnable"

/// The host of the proxy for `http`.
public let kCFNetworkProxiesHTTPProxy: String = "HTTPProxy"

/// The port of the proxy for `http`; 80 by default.
public let kCFNetworkProxiesHTTPPort: String = "HTTPPort"

/// Whether ``kCFNetworkProxiesHTTPSProxy`` is used: 1 or 0.
public let kCFNetworkProxiesHTTPSEnable: String = "HTTPSEnable"

/// The host of the HTTP proxy that tunnels `https`.
public let kCFNetworkProxiesHTTPSProxy: String = "HTTPSProxy"

/// The port of the HTTP proxy that tunnels `https`; 443 by default.
public let kCFNetworkProxiesHTTPSPort: String = "HTTPSPort"

/// Whether ``kCFNetworkProxiesSOCKSProxy`` is used: 1 or 0.
public let kCFNetworkProxiesSOCKSEnable: String = "SOCKSEnable"

/// The host of the SOCKS proxy, for schemes without their own proxy.
public let kCFNetworkProxiesSOCKSProxy: String = "SOCKSProxy"

/// The port of the SOCKS proxy; 1080 by default.
public let kCFNetworkProxiesSOCKSPort: String = "SOCKSPort"

/// The hosts that are reached without a proxy: an array of strings.
public let kCFNetworkProxiesExceptionsList: String = "ExceptionsList"

/// The user name for all proxies.
public let kCFProxyUsernameKey: String = "kCFProxyUsernameKey"

/// The password for all proxies.
public let kCFProxyPasswordKey: String = "kCFProxyPasswordKey"

/// The version of SOCKS: ``kCFStreamSocketSOCKSVersion4`` or ``kCFStreamSocketSOCKSVersion5``.
public let kCFStreamPropertySOCKSVersion: String = "kCFStreamPropertySOCKSVersion"

/// The user name for the SOCKS proxy.
public let kCFStreamPropertySOCKSUser: String = "kCFStreamPropertySOCKSUser"

/// The password for the SOCKS proxy.
public let kCFStreamPropertySOCKSPassword: String = "kCFStreamPropertySOCKSPassword"

/// A value of ``kCFStreamPropertySOCKSVersion``: SOCKS4. The proxy resolves names (SOCKS4a).
public let kCFStreamSocketSOCKSVersion4: String = "kCFStreamSocketSOCKSVersion4"

/// A value of ``kCFStreamPropertySOCKSVersion``: SOCKS5, the default.
public let kCFStreamSocketSOCKSVersion5: String = "kCFStreamSocketSOCKSVersion5"
