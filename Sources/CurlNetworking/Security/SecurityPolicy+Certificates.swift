public import Foundation

extension SecurityPolicy {
    /// Reads the certificates of a folder: what ends in `cer`, `crt`, `der` or `pem`, as DER or PEM.
    /// Folders in it aren't looked into.
    ///
    /// - Throws: That the folder can't be read. A file that can't is reported beside the others.
    public static func certificates(inDirectory directory: URL) throws -> CertificateFiles {
        try CertificateFiles(directory: directory)
    }
}
