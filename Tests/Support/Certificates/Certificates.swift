/// Keys and certificates for tests, made by the `openssl` command.
///
/// They are in a folder that is removed when the process ends. Every property is a path unless
/// stated otherwise.
package struct Certificates: Sendable {
    /// A certificate and its private key, both PEM.
    package struct Identity: Sendable {
        package let certificate: String
        package let key: String
    }

    /// The authority that signed all certificates except the self-signed one.
    package let authority: String
    /// A folder with the authority's certificate under its hash, as OpenSSL requires.
    package let authorityDirectory: String
    /// For localhost, 127.0.0.1 and ::1; the file contains the authority's certificate as well.
    package let server: Identity
    package let expired: Identity
    package let notYetValid: Identity
    /// For other.test.
    package let otherHost: Identity
    package let selfSigned: Identity

    package let client: Identity
    /// For another client.
    package let otherClient: Identity
    /// The client's key, encrypted with `password`.
    package let clientEncryptedKey: String
    /// The client's certificate and key as PKCS#12, encrypted with `password`.
    package let clientPKCS12: String
    /// The passphrase itself, not a path.
    package let password = "correct horse"
    /// The server's public-key pin itself, as `sha256//` and base64.
    package let serverPin: String

    private let folder: TemporaryDirectory
    private let cleanup: CleanupProcess

    package static var isAvailable: Bool { Executable.path("openssl") != nil }

    private static let made = Result { try Certificates() }

    /// The process's one set of certificates. The first call makes it and blocks meanwhile.
    package static func shared() throws -> Certificates { try made.get() }

    private init() throws {
        folder = try TemporaryDirectory()
        cleanup = try CleanupProcess(group: nil, folder: folder.path)
        let maker = try CertificateMaker(folder)
        authority = folder.path("ca.pem")
        authorityDirectory = try maker.hashedDirectory()
        server = try maker.signed("server", "localhost", .server, chain: true)
        expired = try maker.signed(
            "expired",
            "localhost",
            .server,
            validity: ("20200101000000Z", "20200201000000Z")
        )
        notYetValid = try maker.signed(
            "future",
            "localhost",
            .server,
            validity: ("20980101000000Z", "20990101000000Z")
        )
        otherHost = try maker.signed("other", "other.test", .otherServer)
        selfSigned = try maker.selfSigned("self")
        client = try maker.signed("client", "Test Client", .client)
        otherClient = try maker.signed("client2", "Other Client", .client)
        clientEncryptedKey = try maker.encryptedKey("client", password)
        clientPKCS12 = try maker.pkcs12("client", password)
        serverPin = try maker.pin("server")
    }
}
