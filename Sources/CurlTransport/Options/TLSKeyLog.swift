internal import Curl
internal import Posix

/// The file with the secrets of TLS connections that `SSLKEYLOGFILE` names.
///
/// If this environment variable is set, libcurl appends the secrets of each connection to the file,
/// from which Wireshark and other programs decrypt recorded traffic. Who reads the file reads the
/// traffic. So a service that must not have such a file calls ``disable()``.
///
/// See <https://everything.curl.dev/usingcurl/tls/sslkeylogfile.html>.
public enum TLSKeyLog {
    /// The file to which secrets are written; nil if the variable isn't set.
    ///
    /// libcurl reads the variable once: when the process creates its first options or client.
    public static var path: String? {
        ProcessEnvironment.value(of: variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Removes the variable from the environment, so that no secrets are written.
    ///
    /// Call it when the program starts: before the first use of this library, and before other
    /// threads read the environment. Child processes don't get the variable either.
    ///
    /// - Throws: ``TransportError/Code/configuration`` if the variable is set and libcurl has read
    ///   it already.
    public static func disable() throws(TransportError) {
        guard path != nil else { return }
        guard !CurlGlobal.isInitialised else {
            throw .configuration(
                "\(variable) can't be disabled, because libcurl has read it already; call "
                    + "TLSKeyLog.disable() before the first options or client are created"
            )
        }
        ProcessEnvironment.remove(variable)
    }

    private static let variable = "SSLKEYLOGFILE"
}
