/// The trusted CA certificates.
///
/// A file that all transfers share is the fastest: libcurl parses it once and caches the result for
/// up to 24 hours. See <https://curl.se/libcurl/c/CURLOPT_CAINFO.html>.
///
/// A file that is replaced or changed applies to the next connection. Its status is checked when a
/// connection is established, and once a second while connections are reused. From then on, new
/// transfers don't reuse connections and TLS sessions that the former certificates allowed. Replace
/// the file with `rename`, so that no connection reads an incomplete file.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum TrustRoots: Sendable, Hashable {
    /// The system's store.
    ///
    /// It is the file in the environment variable `SSL_CERT_FILE`, or the first readable one of
    /// `/etc/ssl/certs/ca-certificates.crt`, `/etc/pki/tls/certs/ca-bundle.crt`,
    /// `/etc/ssl/ca-bundle.pem` and `/etc/ssl/cert.pem`. It is determined once in a process. If
    /// there is none, libcurl's built-in path is used.
    case system

    /// A file of certificates in PEM form, by its path.
    case file(String)

    /// A folder of certificates in PEM form, by its path, prepared with `openssl rehash`.
    ///
    /// libcurl can't cache the parsed certificates of a folder. See
    /// <https://curl.se/libcurl/c/CURLOPT_CAPATH.html>.
    case directory(String)

    /// Certificates in PEM form.
    ///
    /// They are stored in a sealed in-memory file as long as options with them exist, because
    /// libcurl caches parsed certificates only by a file's path. The file is in no file system, and
    /// child processes don't inherit it. Each set of certificates uses one descriptor. If the
    /// kernel doesn't support such files, or `/proc` isn't mounted, libcurl parses the certificates
    /// for each connection.
    case pem([UInt8])
}
