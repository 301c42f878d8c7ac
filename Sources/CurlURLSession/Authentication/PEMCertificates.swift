package import Foundation

/// Certificates in PEM form (RFC 7468).
package enum PEMCertificates {
    /// What ends a line that begins or ends a certificate, by the labels that OpenSSL knows it by.
    private static let labels = ["CERTIFICATE-----", "X509 CERTIFICATE-----"]

    /// The certificates in a text, DER-encoded, in their order. What isn't base64 is left out.
    package static func decoded(_ text: String) -> [Data] {
        var certificates: [Data] = []
        var current: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            if labels.contains(where: { line.hasPrefix("-----BEGIN \($0)") }) {
                current = []
            } else if line.hasPrefix("-----END ") {
                let base64 = current?.joined()
                current = nil
                guard let base64, !base64.isEmpty,
                    let bytes = Data(base64Encoded: base64, options: .ignoreUnknownCharacters)
                else { continue }
                certificates.append(bytes)
            } else {
                current?.append(line)
            }
        }
        return certificates
    }
}
