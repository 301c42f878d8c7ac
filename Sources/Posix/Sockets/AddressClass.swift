/// Why an address isn't one of a public server.
///
/// Sources: the registries of special-purpose addresses (RFC 6890,
/// <https://www.iana.org/assignments/iana-ipv4-special-registry> and
/// <https://www.iana.org/assignments/iana-ipv6-special-registry>), and the documentation of cloud
/// providers.
package enum AddressClass: Sendable, Hashable, CaseIterable {
    /// This machine: 127.0.0.0/8, ::1, and 0.0.0.0/8 and ::, which Linux connects to itself.
    case loopback
    /// 169.254.0.0/16 (RFC 3927) and fe80::/10 (RFC 4291).
    case linkLocal
    /// RFC 1918: 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16.
    case privateNetwork
    /// RFC 6598: 100.64.0.0/10, behind a provider's address translation.
    case sharedNetwork
    /// RFC 4193, fc00::/7; and their predecessor fec0::/10 (RFC 3879).
    case uniqueLocal
    /// 224.0.0.0/4 and ff00::/8.
    case multicast
    /// Where clouds give credentials to their machines.
    case metadata
    /// Addresses for documentation, tests, protocols and future use.
    case reserved

    /// The class of `address`; nil if it is a public one.
    package init?(_ address: IPAddress) {
        switch address {
        case .ipv4(let bits): self.init(ipv4: bits)
        case .ipv6(let bits): self.init(ipv6: bits)
        }
    }

    /// The class with its article, for messages.
    package var name: String {
        switch self {
        case .loopback: "a loopback address"
        case .linkLocal: "a link-local address"
        case .privateNetwork: "a private address (RFC 1918)"
        case .sharedNetwork: "a shared address (RFC 6598)"
        case .uniqueLocal: "a unique local address"
        case .multicast: "a multicast address"
        case .metadata: "a cloud's metadata address"
        case .reserved: "a reserved address"
        }
    }

    // MARK: IPv4

    private init?(ipv4 bits: UInt32) {
        guard !Self.metadataAddresses.contains(bits) else {
            self = .metadata
            return
        }
        for (network, length, kind) in Self.networks where bits >> (32 - length) == network {
            self = kind
            return
        }
        return nil
    }

    /// Metadata services of clouds.
    private static let metadataAddresses: Set<UInt32> = [
        0xA9FE_A9FE,  // 169.254.169.254: AWS, Google, Azure and others
        0x6464_64C8,  // 100.100.100.200: Alibaba
        0xC000_00C0,  // 192.0.0.192: Oracle
        // 168.63.129.16: Azure, in each of its networks; not in the registries
        0xA83F_8110,
    ]

    /// The first bits of a network, their number, and its class.
    private static let networks: [(network: UInt32, length: UInt32, kind: AddressClass)] = [
        (0, 8, .loopback),
        (10, 8, .privateNetwork),
        (127, 8, .loopback),
        (0x191, 10, .sharedNetwork),  // 100.64
        (0xA9FE, 16, .linkLocal),  // 169.254
        (0xAC1, 12, .privateNetwork),  // 172.16
        (0xC0A8, 16, .privateNetwork),  // 192.168
        (0xC00000, 24, .reserved),  // 192.0.0, protocols
        (0xC00002, 24, .reserved),  // 192.0.2, documentation
        (0xC05863, 24, .reserved),  // 192.88.99, relays of 6to4
        (0xC612 >> 1, 15, .reserved),  // 198.18, benchmarks
        (0xC63364, 24, .reserved),  // 198.51.100, documentation
        (0xCB0071, 24, .reserved),  // 203.0.113, documentation
        (0xE, 4, .multicast),  // 224
        (0xF, 4, .reserved),  // 240
    ]

    // MARK: IPv6

    private init?(ipv6 bits: UInt128) {
        let low = UInt32(truncatingIfNeeded: bits)
        switch bits >> 32 {
        case 0 where low <= 1:
            self = .loopback
            return
        case 0xFFFF, 0xFFFF_0000, Self.translated:
            // IPv4-mapped, IPv4-translated (RFC 2765) and NAT64 (RFC 6052).
            self.init(ipv4: low)
            return
        default:
            break
        }
        switch bits >> 112 {
        case 0x2002:  // 6to4 (RFC 3056)
            self.init(ipv4: UInt32(truncatingIfNeeded: bits >> 80))
        case let first where first >> 6 == 0xFE80 >> 6:
            self = .linkLocal
        case let first where first >> 9 == 0xFC00 >> 9 || first >> 6 == 0xFEC0 >> 6:
            self = Self.isMetadata(bits) ? .metadata : .uniqueLocal
        case let first where first >> 8 == 0xFF:
            self = .multicast
        case let first where first >> 13 == 1 && !Self.isReserved(bits):
            return nil
        default:
            self = .reserved
        }
    }

    /// The first 96 bits of 64:ff9b::/96.
    private static let translated: UInt128 = 0x0064_FF9B << 64

    /// Reserved networks in the public ones, 2000::/3.
    private static func isReserved(_ bits: UInt128) -> Bool {
        // 2001::/23 for protocols, with Teredo; 2001:db8::/32 and 3fff::/20 for documentation.
        bits >> 105 == 0x2001_0000 >> 9 || bits >> 96 == 0x2001_0DB8 || bits >> 108 == 0x3FFF0
    }

    /// Metadata services of AWS (fd00:ec2::254) and Google (fd20:ce::254).
    private static func isMetadata(_ bits: UInt128) -> Bool {
        UInt64(truncatingIfNeeded: bits) == 0x254
            && (bits >> 64 == 0xFD00_0EC2_0000_0000 || bits >> 64 == 0xFD20_00CE_0000_0000)
    }
}
