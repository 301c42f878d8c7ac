internal import Posix

/// Finds the system's trusted CA certificates.
package enum SystemTrustStore {
    /// The path of the system's CA bundle; nil if none is readable.
    package static var path: String? { (try? found.get()) ?? nil }

    /// The result of ``find(environment:isReadable:)``, determined once in a process.
    static let found: Result<String?, InvalidOption> = Result { () throws(InvalidOption) in
        try find(environment: ProcessEnvironment.value(of:)) { path in
            do throws(InvalidOption) {
                try OptionCheck.readableFile(path, "")
                return true
            } catch {
                return false
            }
        }
    }

    /// The bundles of the usual distributions: Debian, Fedora, openSUSE, Alpine.
    static let candidates = [
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// The path of the system's CA bundle; nil if none exists.
    ///
    /// An unreadable bundle in `SSL_CERT_FILE` is an error. Another bundle would trust issuers that
    /// the user didn't choose.
    static func find(
        environment: (String) -> String?,
        isReadable: (String) -> Bool
    ) throws(InvalidOption) -> String? {
        if let path = environment("SSL_CERT_FILE"), !path.isEmpty {
            guard isReadable(path) else {
                throw InvalidOption(
                    "tls.trustRoots",
                    "is .system, and the environment variable SSL_CERT_FILE names “\(path)”, "
                        + "which is no file that can be read; correct or unset the variable"
                )
            }
            return path
        }
        return candidates.first(where: isReadable)
    }
}
