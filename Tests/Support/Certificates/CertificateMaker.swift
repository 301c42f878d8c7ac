/// Runs the `openssl` commands that make certificates.
struct CertificateMaker {
    /// What a certificate may be used for: a section of the configuration.
    enum Usage: String {
        case server
        case otherServer
        case client
        /// For localhost, but only in its common name.
        case commonName
        /// An authority between the root and a server.
        case intermediate
    }

    private let folder: TemporaryDirectory
    private let openssl: String

    init(_ folder: TemporaryDirectory) throws {
        guard let openssl = Executable.path("openssl") else {
            throw SupportError("openssl is not installed")
        }
        (self.folder, self.openssl) = (folder, openssl)
        try folder.write(Self.configuration, to: "openssl.cnf")
        try folder.write("", to: "index.txt")
        try folder.write("1000\n", to: "serial")
        try folder.write("unique_subject = no\n", to: "index.txt.attr")
        try authority("ca", "Test Authority")
    }

    /// Makes a self-signed authority.
    func authority(_ name: String, _ commonName: String) throws {
        try run(
            [
                "req", "-x509", "-config", "openssl.cnf", "-extensions", "authority", "-days", "30",
                "-subj", "/CN=\(commonName)", "-out", "\(name).pem",
            ] + newKey(name)
        )
    }

    func signed(
        _ name: String,
        _ commonName: String,
        _ usage: Usage,
        validity: (from: String, until: String)? = nil,
        chain: Bool = false,
        by issuer: String = "ca"
    ) throws -> Certificates.Identity {
        let request = ["req", "-new", "-config", "openssl.cnf", "-subj", "/CN=\(commonName)"]
        try run(request + ["-out", "\(name).csr"] + newKey(name))
        var signing = [
            "ca", "-config", "openssl.cnf", "-batch", "-notext", "-in",
            "\(name).csr", "-out", "\(name).pem", "-extensions", usage.rawValue, "-cert",
            "\(issuer).pem", "-keyfile", "\(issuer).key",
        ]
        if let validity {
            signing += ["-startdate", validity.from, "-enddate", validity.until]
        } else {
            signing += ["-days", "30"]
        }
        try run(signing)
        if chain {
            try folder.write(
                try folder.read("\(name).pem") + folder.read("ca.pem"),
                to: "\(name).pem"
            )
        }
        return identity(name)
    }

    func selfSigned(_ name: String) throws -> Certificates.Identity {
        try run(
            [
                "req", "-x509", "-config", "openssl.cnf", "-extensions", "server", "-days", "30",
                "-subj", "/CN=localhost", "-out", "\(name).pem",
            ] + newKey(name)
        )
        return identity(name)
    }

    func encryptedKey(_ name: String, _ password: String) throws -> String {
        try run([
            "pkcs8", "-topk8", "-in", "\(name).key", "-out", "\(name).encrypted.key", "-v2",
            "aes-256-cbc", "-passout", "pass:\(password)",
        ])
        return folder.path("\(name).encrypted.key")
    }

    func pkcs12(_ name: String, _ password: String) throws -> String {
        try run([
            "pkcs12", "-export", "-in", "\(name).pem", "-inkey", "\(name).key", "-out",
            "\(name).p12", "-passout", "pass:\(password)",
        ])
        return folder.path("\(name).p12")
    }

    func hashedDirectory() throws -> String {
        try ChildProcess.run(["/bin/mkdir", folder.path("authorities")])
        try folder.write(folder.read("ca.pem"), to: "authorities/ca.pem")
        try run(["rehash", "authorities"])
        return folder.path("authorities")
    }

    func pin(_ name: String) throws -> String {
        let key = try run(["x509", "-in", "\(name).pem", "-noout", "-pubkey"])
        try folder.write(key, to: "\(name).pub")
        try run(["pkey", "-pubin", "-in", "\(name).pub", "-outform", "DER", "-out", "key.der"])
        try run(["dgst", "-sha256", "-binary", "-out", "key.digest", "key.der"])
        let base64 = try run(["base64", "-A", "-in", "key.digest"])
        return "sha256//" + base64.filter { !$0.isWhitespace }
    }

    private func identity(_ name: String) -> Certificates.Identity {
        Certificates.Identity(
            certificate: folder.path("\(name).pem"),
            key: folder.path("\(name).key")
        )
    }

    private func newKey(_ name: String) -> [String] {
        [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            "\(name).key",
        ]
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let result = try ChildProcess.run([openssl] + arguments, directory: folder.path)
        guard result.status == 0 else {
            throw SupportError("openssl \(arguments.joined(separator: " ")): \(result.output)")
        }
        return result.output
    }

    private static let configuration = """
        [req]
        distinguished_name = name
        [name]
        [ca]
        default_ca = here
        [here]
        database = index.txt
        serial = serial
        new_certs_dir = .
        certificate = ca.pem
        private_key = ca.key
        default_md = sha256
        policy = any
        [any]
        commonName = supplied
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = CA:FALSE
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
        [otherServer]
        basicConstraints = CA:FALSE
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:other.test
        [commonName]
        basicConstraints = CA:FALSE
        extendedKeyUsage = serverAuth
        [intermediate]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [client]
        basicConstraints = CA:FALSE
        extendedKeyUsage = clientAuth

        """
}
