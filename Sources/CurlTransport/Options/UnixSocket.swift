/// A unix domain socket to connect to instead of the URL's host, which still names the server in
/// the `Host` field and in TLS. Proxies are not used.
public enum UnixSocket: Sendable, Hashable {
    /// A socket in the file system, by its path: at most 107 bytes.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_UNIX_SOCKET_PATH.html>.
    case path(String)

    /// A socket in Linux' abstract name space, by its name without the leading NUL: at most 107
    /// bytes. See <https://curl.se/libcurl/c/CURLOPT_ABSTRACT_UNIX_SOCKET.html>.
    case abstract(String)
}
