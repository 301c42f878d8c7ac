internal import CurlURLSession
public import Foundation

/// The certificates that were found in files.
public struct CertificateFiles: Sendable, Hashable {
    /// The certificates, DER-encoded.
    public private(set) var certificates: Set<Data> = []

    /// The files that hold none, or can't be read, and why.
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
            unreadable[url] = "It holds no certificate, neither as DER nor as PEM."
        } else if readable.count < Set(found).count {
            unreadable[url] = "It holds \(found.count - readable.count) that can't be read."
        }
    }
}
