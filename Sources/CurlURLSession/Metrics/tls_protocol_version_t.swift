internal import CurlTransport

// swift-format-ignore: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
/// A version of TLS or DTLS. The raw value is its number on the wire.
public enum tls_protocol_version_t: UInt16, Sendable {
    /// TLS 1.0, RFC 2246.
    case TLSv10 = 0x0301
    /// TLS 1.1, RFC 4346.
    case TLSv11 = 0x0302
    /// TLS 1.2, RFC 5246.
    case TLSv12 = 0x0303
    /// TLS 1.3, RFC 8446.
    case TLSv13 = 0x0304
    /// DTLS 1.0, RFC 4347.
    case DTLSv10 = 0xFEFF
    /// DTLS 1.2, RFC 6347.
    case DTLSv12 = 0xFEFD
}

extension tls_protocol_version_t {
    init(_ version: TLSVersion) {
        switch version {
        case .v1_0: self = .TLSv10
        case .v1_1: self = .TLSv11
        case .v1_2: self = .TLSv12
        case .v1_3: self = .TLSv13
        }
    }

    /// The TLS version. For DTLS, the version that it derives from.
    var engineVersion: TLSVersion {
        switch self {
        case .TLSv10: .v1_0
        case .TLSv11, .DTLSv10: .v1_1
        case .TLSv12, .DTLSv12: .v1_2
        case .TLSv13: .v1_3
        }
    }

    /// Returns the version with a name as OpenSSL spells it. `nil` for an unknown name.
    init?(name: String) {
        switch name {
        case "TLSv1", "TLSv1.0": self = .TLSv10
        case "TLSv1.1": self = .TLSv11
        case "TLSv1.2": self = .TLSv12
        case "TLSv1.3": self = .TLSv13
        case "DTLSv1", "DTLSv1.0": self = .DTLSv10
        case "DTLSv1.2": self = .DTLSv12
        default: return nil
        }
    }
}
