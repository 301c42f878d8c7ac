internal import CPosix
internal import Glibc

/// An IPv4 or IPv6 address as a number.
package enum IPAddress: Sendable, Hashable {
    /// The address' 32 bits, the first byte highest.
    case ipv4(UInt32)
    /// The address' 128 bits, the first byte highest.
    case ipv6(UInt128)

    /// Creates an address from 4 or 16 bytes in network order; nil for other counts.
    package init?(bytes: Span<UInt8>) {
        var bits: UInt128 = 0
        for index in bytes.indices {
            guard index < 16 else { return nil }
            bits = bits << 8 | UInt128(bytes[index])
        }
        switch bytes.count {
        case 4: self = .ipv4(UInt32(truncatingIfNeeded: bits))
        case 16: self = .ipv6(bits)
        default: return nil
        }
    }

    /// Parses the text of an address, with or without a zone (`fe80::1%eth0`).
    ///
    /// Nil if it is no address. The corresponding C function is `inet_pton`.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        let address = text.prefix { $0 != "%" }
        var four = in_addr()
        if address.count == text.count, unsafe inet_pton(AF_INET, text, &four) == 1 {
            self = .ipv4(UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(address), &six) == 1 else { return nil }
        let bits = unsafe withUnsafeBytes(of: &six) { bytes in
            unsafe bytes.loadUnaligned(as: UInt128.self)
        }
        self = .ipv6(UInt128(bigEndian: bits))
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address as `inet_ntop` writes it.
    package var description: String {
        switch self {
        case .ipv4(let bits):
            return (0..<4).map { String(bits >> (24 - 8 * UInt32($0)) & 0xFF) }
                .joined(separator: ".")
        case .ipv6(let bits):
            var address = bits.bigEndian
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            guard
                unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(INET6_ADDRSTRLEN)) != nil
            else { return "" }
            return String(
                decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
                as: UTF8.self
            )
        }
    }
}
