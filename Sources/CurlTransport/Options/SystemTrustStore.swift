internal import Curl

/// Where this system keeps the certificates that it trusts.
package enum SystemTrustStore {
    /// The path of the system's bundle; nil where there is none that can be read.
    package static var path: String? { (try? found.get()) ?? nil }

    /// What ``find(environment:isReadable:)`` found when it was first asked in this process.
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

    /// The path of the system's bundle; nil where there is none.
    ///
    /// A bundle that `SSL_CERT_FILE` names and that can't be read is an error: taking another would
    /// be to trust whom the user didn't mean to.
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
