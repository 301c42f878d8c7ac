internal import Foundation

extension ServerTrustFailure {
    /// What is wrong with a path; `nil` for one that is good.
    init?(_ path: CertificatePath, host: String?) {
        // Numbers of OpenSSL's <openssl/x509_vfy.h>, which never change.
        switch path.code {
        case 0: return nil
        case 9: self = .notYetValid
        case 10: self = .expired
        // No certificate of the issuer; signed by itself; no chain.
        case 2, 18, 19, 20, 21, 27: self = .unknownAuthority
        case 62, 64: self = .hostName(host ?? "")
        case _ where path.certificates.isEmpty: self = .noCertificate
        default: self = .other(path.reason)
        }
    }
}
