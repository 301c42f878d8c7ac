public import Foundation

/// What a ``SecurityPolicy`` is set to, as one value, which can be stored and compared.
public struct SecurityPolicySettings: Sendable, Hashable, Codable {
    /// What is compared with ``pinnedCertificates``; nothing by default.
    public var pinningMode = SSLPinningMode.none

    /// Whether a server is trusted whose certificates lead to no authority that is trusted, or have
    /// expired; `false` by default. In the mode ``SSLPinningMode/certificate`` they must lead to a
    /// pinned one and be valid nevertheless. In the mode ``SSLPinningMode/publicKey``, a server whose own key
    /// is pinned is trusted then whatever its certificate says, its name too; one below a pinned authority
    /// must be for the host.
    public var allowInvalidCertificates = false

    /// Whether the certificate must be for the host; `true` by default.
    public var validatesDomainName = true

    /// When certificates must be valid; `nil`, the default, for the time at which they are evaluated.
    public var verificationDate: Date?

    var pins = PinnedCertificates()

    /// The certificates to compare with, DER-encoded; none by default.
    public var pinnedCertificates: Set<Data> {
        get { pins.given }
        set { pins = PinnedCertificates(newValue) }
    }

    /// Those of ``pinnedCertificates`` that are no certificates, and are passed over.
    public var unreadableCertificates: Set<Data> { pins.unreadable }

    /// Settings by which servers are trusted whose certificates lead to a configured root.
    public init() {}

    private enum CodingKeys: CodingKey {
        case pinningMode
        case allowInvalidCertificates
        case validatesDomainName
        case verificationDate
        case pinnedCertificates
    }

    /// Reads settings as ``encode(to:)`` writes them.
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

    /// Writes the settings, with the certificates in an order of their own.
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
