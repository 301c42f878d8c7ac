internal import Foundation

/// The certificates that a program brings along, and their keys.
struct PinnedCertificates: Sendable, Hashable {
    /// As they were given.
    let given: Set<Data>
    /// Those that can be read, DER-encoded.
    let certificates: Set<Data>
    /// Their keys (SubjectPublicKeyInfo), DER-encoded.
    let publicKeys: Set<Data>
    /// Those that can't be read.
    let unreadable: Set<Data>

    init(_ given: Set<Data> = []) {
        self.given = given
        var keys: [Data: Data] = [:]
        for certificate in given {
            keys[certificate] = X509Certificate.publicKey(of: certificate)
        }
        certificates = Set(keys.keys)
        publicKeys = Set(keys.values)
        unreadable = given.subtracting(certificates)
    }
}
