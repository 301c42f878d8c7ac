package import Foundation

/// Certificate chains for tests of policies, DER-encoded.
///
/// The `openssl` command makes them once per process. All servers' certificates are for localhost,
/// 127.0.0.1 and ::1 unless stated otherwise.
package struct CertificateChains: Sendable {
    /// An authority.
    package let root: Data
    /// Signed by the root.
    package let intermediate: Data
    /// A server's, signed by the intermediate.
    package let leaf: Data
    /// A server's, with another key of the same kind, signed by the root.
    package let direct: Data
    package let expired: Data
    package let notYetValid: Data
    /// For other.test.
    package let otherHost: Data
    /// For localhost, but only in its common name.
    package let commonName: Data
    /// A client's, signed by the root.
    package let client: Data
    package let selfSigned: Data
    /// Another authority, and a server's certificate signed by it.
    package let otherRoot: Data
    package let otherLeaf: Data
    /// A server's, signed by ``direct``, which is no authority.
    package let forged: Data

    /// A time at which only ``expired`` was valid.
    package let past: Date
    /// The folder with the files in PEM; it exists until the process ends.
    package let folder: String

    private let directory: TemporaryDirectory
    private let cleanup: CleanupProcess

    private static let made = Result { try CertificateChains() }

    /// The process's one set of chains. The first call makes it and blocks meanwhile.
    package static func shared() throws -> CertificateChains { try made.get() }

    private init() throws {
        directory = try TemporaryDirectory()
        folder = directory.path
        cleanup = try CleanupProcess(group: nil, folder: directory.path)
        let maker = try CertificateMaker(directory)
        let files = directory
        func der(_ name: String) throws -> Data {
            let text = String(decoding: try files.read("\(name).pem"), as: UTF8.self)
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
            guard let der = Data(base64Encoded: lines.joined()) else {
                throw SupportError("\(name).pem is no PEM")
            }
            return der
        }
        func signed(
            _ name: String,
            _ usage: CertificateMaker.Usage = .server,
            _ commonName: String = "localhost",
            validity: (from: String, until: String)? = nil,
            by issuer: String = "ca"
        ) throws -> Data {
            _ = try maker.signed(name, commonName, usage, validity: validity, by: issuer)
            return try der(name)
        }
        root = try der("ca")
        intermediate = try signed("between", .intermediate, "Test Intermediate")
        leaf = try signed("leaf", by: "between")
        direct = try signed("direct")
        expired = try signed("expired", validity: ("20200101000000Z", "20200201000000Z"))
        notYetValid = try signed("future", validity: ("20980101000000Z", "20990101000000Z"))
        otherHost = try signed("other", .otherServer, "other.test")
        commonName = try signed("common", .commonName)
        client = try signed("client", .client, "Test Client")
        _ = try maker.selfSigned("self")
        selfSigned = try der("self")
        try maker.authority("ca2", "Other Authority")
        otherRoot = try der("ca2")
        otherLeaf = try signed("leaf2", by: "ca2")
        forged = try signed("forged", by: "direct")
        // 2020-01-15.
        past = Date(timeIntervalSince1970: 1_579_046_400)
    }
}
