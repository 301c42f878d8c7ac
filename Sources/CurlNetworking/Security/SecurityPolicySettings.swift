public import Foundation

/// The settings of a ``SecurityPolicy``, as one storable and comparable value.
public struct SecurityPolicySettings: Sendable, Hashable, Codable {
    /// What is compared with ``pinnedCertificates``; nothing by default.
    public var pinningMode = SSLPinningMode.none

    /// Whether a server with invalid certificates is trusted; `false` by default.
    ///
    /// Invalid certificates are expired, or lead to no trusted authority. In the mode
    /// ``SSLPinningMode/certificate`` they must still be valid and lead to a pinned one. In the
    /// mode ``SSLPinningMode/publicKey``, a server whose own key is pinned is trusted regardless of
    /// its certificate and name; a server below a pinned authority must have a certificate for the
    /// host.
    public var allowInvalidCertificates = false

    /// Whether the certificate must be for the host; `true` by default.
    public var validatesDomainName = true

    /// When certificates must be valid; `nil`, the default, for now.
    public var verificationDate: Date?

    var pins = PinnedCertificates()

    /// The pinned certificates, DER-encoded; none by default.
    public var pinnedCertificates: Set<Data> {
        get { pins.given }
        set { pins = PinnedCertificates(newValue) }
    }

    /// The ``pinnedCertificates`` that are invalid and therefore ignored.
    public var unreadableCertificates: Set<Data> { pins.unreadable }

    /// Creates settings that trust servers whose certificates lead to a configured root.
    public init() {}

    private enum CodingKeys: CodingKey {
        case pinningMode
        case allowInvalidCertificates
        case validatesDomainName
        case verificationDate
        case pinnedCertificates
    }

    /// Decodes settings that ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        pinningMode = try values.decode(SSLPinningMode.self, forKey: .pinningMode)
        allowInvalidCertificates = try values.decode(Bool.self, forKey: .allowInvalidCertificates)
        validatesDomainName = try values.decode(Bool.self, forKey: .validatesDomainName)
        verificationDate = try values.decodeIfPresent(Date.self, forKey: .verificationDate)
        pins = PinnedCertificates(
            try values.decode(Set<Data>.self, forKey: .pinnedCertificates)
        )
    }

    /// Encodes the settings, with sorted certificates.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(pinningMode, forKey: .pinningMode)
        try values.encode(allowInvalidCertificates, forKey: .allowInvalidCertificates)
        try values.encode(validatesDomainName, forKey: .validatesDomainName)
        try values.encodeIfPresent(verificationDate, forKey: .verificationDate)
        let certificates = pinnedCertificates.sorted { $0.lexicographicallyPrecedes($1) }
        try values.encode(certificates, forKey: .pinnedCertificates)
    }
}

/// What is compared with the pinned certificates.
public enum SSLPinningMode: UInt, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing: the certificate must lead to one of the configured roots.
    case none = 0
    /// The public key.
    ///
    /// A certificate on the path must have the key of a pinned certificate.
    case publicKey = 1
    /// The certificate.
    ///
    /// The path must lead to a pinned one, regardless of other trusted roots.
    case certificate = 2
}

/// The pinned certificates of a program and their public keys.
struct PinnedCertificates: Sendable, Hashable {
    /// The certificates as given.
    let given: Set<Data>
    /// The valid certificates, DER-encoded.
    let certificates: Set<Data>
    /// The public keys of the valid certificates (SubjectPublicKeyInfo), DER-encoded.
    let publicKeys: Set<Data>
    /// The invalid certificates.
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
