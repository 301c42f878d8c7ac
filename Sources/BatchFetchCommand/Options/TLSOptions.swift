import ArgumentParser
import BatchFetch

/// The options for TLS.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Trust the CA certificates in this PEM file instead of the system's.",
            valueName: "file"
        ),
        completion: .file()
    )
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            "Client certificate with its chain: a PEM file, or PKCS#12 (.p12, .pfx).",
            valueName: "file"
        ),
        completion: .file()
    )
    var cert: String?

    @Option(
        help: ArgumentHelp(
            "Private key of --cert, a PEM file; by default it is in the same file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var key: String?

    @Option(
        help: ArgumentHelp("File with the password of the private key.", valueName: "file"),
        completion: .file()
    )
    var keyPasswordFile: String?

    @Option(
        help: ArgumentHelp(
            """
            Public key that servers must have: sha256// and the SHA-256 digest of the key in base \
            64. May be repeated: one of them must match.
            """,
            valueName: "sha256//digest"
        )
    )
    var pin: [String] = []

    @Flag(
        help: """
            Accept any certificate. Others on the network can then read and change what is fetched.
            """
    )
    var insecure = false

    func validate() throws {
        for (name, file) in files where file == "" {
            throw ValidationError("\(name) is empty: name a file.")
        }
        for (name, value) in [("--key", key), ("--key-password-file", keyPasswordFile)]
        where value != nil && cert == nil {
            throw ValidationError("\(name) needs the certificate: add --cert FILE.")
        }
    }

    private var files: [(name: String, path: String?)] {
        [
            ("--cacert", cacert), ("--cert", cert), ("--key", key),
            ("--key-password-file", keyPasswordFile),
        ]
    }

    /// The files that the options name. A certificate and its key may be in one.
    var uses: [NamedFileArgument?] {
        files.map { .reading($0.path, for: "the input of \($0.name)") }
    }

    /// The options as the library's settings. Reads the file of the password.
    func tls() throws -> BatchTLS {
        var tls = BatchTLS()
        tls.authoritiesFile = cacert
        tls.certificateFile = cert
        tls.keyFile = key
        if let keyPasswordFile {
            let text = try TextFile.text(of: keyPasswordFile)
            // Most editors end a file with a line end.
            tls.keyPassword = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        }
        tls.publicKeyPins = pin.flatMap { $0.split(separator: ";").map(String.init) }
        tls.dangerouslyDisablesVerification = insecure
        return tls
    }
}
