// The keys of `URLSessionConfiguration.connectionProxyDictionary`, under the names and with the
// values that `CFNetwork` has for them.

/// Whether ``kCFNetworkProxiesHTTPProxy`` is used: 1 or 0.
public let kCFNetworkProxiesHTTPEnable: String = "HTTPEnable"

/// The host of the proxy for `http`.
public let kCFNetworkProxiesHTTPProxy: String = "HTTPProxy"

/// The port of the proxy for `http`; 80 without one.
public let kCFNetworkProxiesHTTPPort: String = "HTTPPort"

/// Whether ``kCFNetworkProxiesHTTPSProxy`` is used: 1 or 0.
public let kCFNetworkProxiesHTTPSEnable: String = "HTTPSEnable"

/// The host of the HTTP proxy that makes tunnels for `https`.
public let kCFNetworkProxiesHTTPSProxy: String = "HTTPSProxy"

/// The port of the HTTP proxy that makes tunnels for `https`; 443 without one.
public let kCFNetworkProxiesHTTPSPort: String = "HTTPSPort"

/// Whether ``kCFNetworkProxiesSOCKSProxy`` is used: 1 or 0.
public let kCFNetworkProxiesSOCKSEnable: String = "SOCKSEnable"

/// The host of the SOCKS proxy, for schemes without a proxy of their own.
public let kCFNetworkProxiesSOCKSProxy: String = "SOCKSProxy"

/// The port of the SOCKS proxy; 1080 without one.
public let kCFNetworkProxiesSOCKSPort: String = "SOCKSPort"

/// The hosts that are reached without a proxy: an array of strings.
public let kCFNetworkProxiesExceptionsList: String = "ExceptionsList"

/// The user's name for all proxies.
public let kCFProxyUsernameKey: String = "kCFProxyUsernameKey"

/// The user's password for all proxies.
public let kCFProxyPasswordKey: String = "kCFProxyPasswordKey"

/// The version of SOCKS: ``kCFStreamSocketSOCKSVersion4`` or ``kCFStreamSocketSOCKSVersion5``.
public let kCFStreamPropertySOCKSVersion: String = "kCFStreamPropertySOCKSVersion"

/// The user's name for the SOCKS proxy.
public let kCFStreamPropertySOCKSUser: String = "kCFStreamPropertySOCKSUser"

/// The user's password for the SOCKS proxy.
public let kCFStreamPropertySOCKSPassword: String = "kCFStreamPropertySOCKSPassword"

/// A value of ``kCFStreamPropertySOCKSVersion``: SOCKS4, whose proxy resolves names (SOCKS4a).
public let kCFStreamSocketSOCKSVersion4: String = "kCFStreamSocketSOCKSVersion4"

/// A value of ``kCFStreamPropertySOCKSVersion``: SOCKS5, the default.
public let kCFStreamSocketSOCKSVersion5: String = "kCFStreamSocketSOCKSVersion5"
