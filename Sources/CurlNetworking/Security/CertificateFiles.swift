internal import CurlURLSession
public import Foundation

/// The certificates that were read from files.
public struct CertificateFiles: Sendable, Hashable {
    /// The certificates, DER-encoded.
    public private(set) var certificates: Set<Data> = []

    /// The files without readable certificates, and the reasons.
    public private(set) var unreadable: [URL: String] = [:]

    private static let extensions: Set = ["cer", "crt", "der", "pem"]

    init(directory: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        for name in names.sorted() {
            let url = directory.appendingPathComponent(name)
            guard Self.extensions.contains(url.pathExtension.lowercased()) else { continue }
            do {
                read(try Data(contentsOf: url), from: url)
            } catch {
                unreadable[url] = (error as NSError).localizedDescription
            }
        }
    }

    private mutating func read(_ data: Data, from url: URL) {
        let isPEM = data.range(of: Data("-----BEGIN ".utf8)) != nil
        let found = isPEM ? PEMCertificates.decoded(String(decoding: data, as: UTF8.self)) : [data]
        let readable = PinnedCertificates(Set(found)).certificates
        certificates.formUnion(readable)
        if readable.isEmpty {
            unreadable[url] = "It contains no DER or PEM certificate."
        } else if readable.count < Set(found).count {
            unreadable[url] = "It contains \(found.count - readable.count) unreadable certificates."
        }
    }
}

extension SecurityPolicy {
    /// Reads the certificates in a directory, without its subdirectories.
    ///
    /// It reads DER and PEM files with the extensions `cer`, `crt`, `der` and `pem`.
    ///
    /// - Throws: An error if the directory can't be read. An unreadable file is reported in the
    ///   result.
    public static func certificates(inDirectory directory: URL) throws -> CertificateFiles {
        try CertificateFiles(directory: directory)
    }
}
