/// The addresses that begin with the same bits.
package struct IPNetwork: Sendable, Hashable {
    private let address: IPAddress
    private let length: Int

    /// Parses an address, or the first address of a network with the number of its bits.
    ///
    /// Examples are `192.0.2.1`, `192.0.2.0/24` and `2001:db8::/32`. Nil for other text, and if bits
    /// behind the network's are set.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, !first.contains("%"), let address = IPAddress(String(first))
        else { return nil }
        self.address = address
        guard parts.count == 2 else {
            length = address.size
            return
        }
        guard parts[1].utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let length = Int(parts[1]), length <= address.size
        else { return nil }
        self.length = length
        guard address.bits << (128 - address.size + length) == 0 else { return nil }
    }

    /// Whether `address`, or the IPv4 address that it maps to IPv6, belongs to the network.
    package func contains(_ address: IPAddress) -> Bool {
        let other = address.unmapped
        let own = self.address.unmapped
        let length = own == self.address ? self.length : self.length - 96
        guard other.size == own.size, length >= 0 else { return false }
        let rest = own.size - length
        return other.bits >> rest == own.bits >> rest
    }
}

extension IPAddress {
    /// The number of bits.
    fileprivate var size: Int {
        switch self {
        case .ipv4: 32
        case .ipv6: 128
        }
    }

    fileprivate var bits: UInt128 {
        switch self {
        case .ipv4(let bits): UInt128(bits)
        case .ipv6(let bits): bits
        }
    }

    /// The IPv4 address of `::ffff:0:0/96`, otherwise the address itself.
    fileprivate var unmapped: IPAddress {
        guard case .ipv6(let bits) = self, bits >> 32 == 0xFFFF else { return self }
        return .ipv4(UInt32(truncatingIfNeeded: bits))
    }
}
