internal import CurlTransport
internal import FoundationEssentials
internal import HTTPSemantics
internal import Posix

/// The TLS settings of connections to servers.
///
/// Files are checked when a run starts, and replaced ones apply to new connections.
public struct BatchTLS: Sendable, Hashable {
    /// The path of trusted CA certificates in PEM form. `nil`, the default, is the system's store.
    public var authoritiesFile: String?

    /// The path of the client's certificate with its chain, in PEM form, or as PKCS#12 if the name
    /// ends in `.p12` or `.pfx`. `nil`, the default, is none.
    ///
    /// Any server that requests a certificate gets it, also the target of a redirect.
    public var certificateFile: String?

    /// The path of the certificate's private key in PEM form.
    ///
    /// With `nil`, the default, it is in ``certificateFile``.
    public var keyFile: String?

    /// The password of the key or the PKCS#12 file. `nil`, the default, is none.
    public var keyPassword: String?

    /// SHA-256 digests of allowed public keys in base 64; if empty, as by default, any key is allowed.
    ///
    /// The key of each server must match one of them. A digest is that of the certificate's
    /// SubjectPublicKeyInfo; the prefix `sha256//` is optional. See
    /// <https://curl.se/libcurl/c/CURLOPT_PINNEDPUBLICKEY.html>.
    public var publicKeyPins: [String] = []

    /// Whether any certificate is accepted; `false` by default.
    ///
    /// If `true`, an attacker on the network can read and change what is fetched. Pins are still
    /// checked. The log warns of it.
    public var dangerouslyDisablesVerification = false

    /// Creates the default settings: the system's store, and no client certificate.
    public init() {}

    /// Checks the pins, that the files are what they should be, and that the key belongs to the
    /// certificate. Blocks.
    ///
    /// - Throws: ``BatchFailure/Code/configuration``.
    func validate() throws(BatchFailure) {
        if let authoritiesFile {
            _ = try Self.pem(authoritiesFile, "the CA certificates", "CERTIFICATE-----")
        }
        for (index, pin) in publicKeyPins.enumerated() where !Self.isPin(pin) {
            throw BatchFailure(
                .configuration,
                "pin \(index + 1) is not sha256// and a SHA-256 digest in base 64, whose 44 characters "
                    + "end in ="
            )
        }
        guard let certificateFile else {
            guard keyFile == nil, keyPassword == nil else {
                throw BatchFailure(.configuration, "a key needs its certificate: name that, too")
            }
            return
        }
        guard !Self.isPKCS12(certificateFile) else {
            guard keyFile == nil else {
                throw BatchFailure(
                    .configuration,
                    "“\(certificateFile)” contains the key: name no key file"
                )
            }
            let bytes = try Self.bytes(certificateFile, "the client certificate")
            let fault = IdentityCheck.fault(pkcs12: bytes, password: keyPassword ?? "")
            if let fault { throw failure(fault, of: certificateFile) }
            return
        }
        let certificate = try Self.pem(
            certificateFile,
            "the client certificate",
            "CERTIFICATE-----"
        )
        let key = keyFile ?? certificateFile
        let text = try Self.pem(key, "the client's key", "PRIVATE KEY-----")
        if keyPassword == nil, text.contains("ENCRYPTED") {
            throw BatchFailure(.configuration, "the client's key “\(key)” needs a password")
        }
        let fault = IdentityCheck.fault(
            certificate: Array(certificate.utf8),
            key: Array(text.utf8),
            isEncrypted: text.contains("ENCRYPTED"),
            password: keyPassword ?? ""
        )
        if let fault { throw failure(fault, of: key) }
    }

    private func failure(_ fault: IdentityCheck.Fault, of file: String) -> BatchFailure {
        let reason =
            switch fault {
            case .wrongPassword where keyPassword == nil: "“\(file)” needs a password"
            case .wrongPassword: "the password isn't that of “\(file)”"
            case .otherKey:
                "the key in “\(file)” isn't that of the first certificate in "
                    + "“\(certificateFile ?? "")”: name the file of its key"
            case .otherFormat: "“\(file)” isn't a PKCS#12 file, as its name says"
            }
        return BatchFailure(.configuration, "the client certificate can't be used: \(reason)")
    }

    private static func isPKCS12(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".p12") || name.hasSuffix(".pfx")
    }

    /// Whether this is 32 bytes in canonical base 64.
    private static func isPin(_ pin: String) -> Bool {
        let prefix = "sha256//"
        let text = pin.hasPrefix(prefix) ? String(pin.dropFirst(prefix.count)) : pin
        guard let digest = Data(base64Encoded: text) else { return false }
        return digest.count == 32 && digest.base64EncodedString() == text
    }

    /// The text of a PEM file with a line that ends in `mark`.
    private static func pem(
        _ path: String,
        _ name: String,
        _ mark: String
    ) throws(BatchFailure) -> String {
        let text = String(decoding: try bytes(path, name), as: UTF8.self)
        guard text.contains("-----BEGIN "), text.contains(mark) else {
            throw BatchFailure(
                .configuration,
                "\(name) “\(path)” can't be used: the file has no line “-----BEGIN … \(mark)”"
            )
        }
        return text
    }

    private static func bytes(_ path: String, _ name: String) throws(BatchFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(FileError) {
            // Opening a pipe would block until its other end is opened.
            if try FileSystem.kind(of: path) != .other {
                let file = try FileDescriptor.openForReading(path)
                while try file.read(appendingTo: &bytes, upTo: 64 * 1024) > 0 {}
                return bytes
            }
        } catch {
            throw BatchFailure(.configuration, "\(name) can't be read: \(error)")
        }
        throw BatchFailure(.configuration, "\(name) “\(path)” can't be used: it is no file")
    }

    /// The settings in the transport's form.
    var configuration: TLSConfiguration {
        var tls = TLSConfiguration()
        if let authoritiesFile { tls.trustRoots = .file(authoritiesFile) }
        tls.clientIdentity = certificateFile.map { certificate in
            Self.isPKCS12(certificate)
                ? .pkcs12File(certificate, password: keyPassword)
                : .pemFiles(
                    certificate: certificate,
                    key: keyFile ?? certificate,
                    password: keyPassword
                )
        }
        tls.publicKeyPins = publicKeyPins
        tls.dangerouslyDisablesPeerVerification = dangerouslyDisablesVerification
        tls.dangerouslyDisablesHostVerification = dangerouslyDisablesVerification
        return tls
    }
}

extension BatchTLS: CustomStringConvertible, CustomReflectable {
    /// The names of the files, without the password.
    public var description: String {
        let files = [authoritiesFile, certificateFile, keyFile].compactMap(\.self)
        let parts = files + (dangerouslyDisablesVerification ? ["insecure"] : [])
        return parts.joined(separator: ", ")
    }

    /// Shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
