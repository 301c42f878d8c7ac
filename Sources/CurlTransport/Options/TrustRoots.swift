/// The certificates that a server's certificate must lead to.
///
/// One file that is the same for all transfers is the fastest: libcurl parses it once and keeps
/// the result. See <https://curl.se/libcurl/c/CURLOPT_CAINFO.html>.
public enum TrustRoots: Sendable, Hashable {
    /// The system's store.
    ///
    /// It is the file that the environment variable `SSL_CERT_FILE` names, or the first of
    /// `/etc/ssl/certs/ca-certificates.crt`, `/etc/pki/tls/certs/ca-bundle.crt`,
    /// `/etc/ssl/ca-bundle.pem` and `/etc/ssl/cert.pem` that can be read; looked for once in a
    /// process. Where there is none, what libcurl was built with is used.
    case system

    /// A file of certificates in PEM form, by its path.
    case file(String)

    /// A folder of certificates in PEM form, by its path, prepared with `openssl rehash`.
    ///
    /// libcurl can't keep what it parsed of a folder. See
    /// <https://curl.se/libcurl/c/CURLOPT_CAPATH.html>.
    case directory(String)

    /// Certificates in PEM form.
    ///
    /// They are kept in a private temporary file for as long as options with them are in use,
    /// because libcurl keeps what it parsed by the file's name only.
    case pem([UInt8])
}
