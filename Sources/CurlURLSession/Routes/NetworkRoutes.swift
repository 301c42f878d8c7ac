internal import Foundation
internal import Posix

/// The kernel's routes, as listed in `/proc/net` (proc(5)).
package struct NetworkRoutes: Sendable {
    /// Whether any route leads to another machine.
    package let leadAnywhere: Bool
    /// Whether a default route leads to all other machines, over IPv4 or IPv6.
    package let haveDefault: Bool

    /// The current routes. Reads the kernel's tables.
    package static var current: NetworkRoutes {
        func table(_ name: String) -> String {
            (try? String(contentsOfFile: "/proc/net/\(name)", encoding: .utf8)) ?? ""
        }
        return NetworkRoutes(version4: table("route"), version6: table("ipv6_route"))
    }

    /// - Parameters:
    ///   - version4: A header line, then rows of interface, destination, gateway, flags and more.
    ///   - version6: Rows of ten columns: destination and its length first, flags and interface
    ///     last.
    package init(version4: String, version6: String) {
        let routes4 = Self.rows(version4).dropFirst().map { row in
            Route(
                name: row.first,
                flags: row.count > 3 ? row[3] : "",
                destination: "",
                isDefault: row.count > 7 && Self.isZero(row[1]) && Self.isZero(row[7])
            )
        }
        let routes6 = Self.rows(version6).map { row in
            Route(
                name: row.last,
                flags: row.dropLast().last ?? "",
                destination: row.first ?? "",
                isDefault: row.count > 1 && Self.isZero(row[0]) && Self.isZero(row[1])
            )
        }
        let leading = (routes4 + routes6).filter(\.leadsAnywhere)
        leadAnywhere = !leading.isEmpty
        haveDefault = leading.contains(where: \.isDefault)
    }

    /// Whether an address, a mask or a length in hexadecimal digits is 0.
    private static func isZero(_ digits: Substring) -> Bool {
        digits.allSatisfy { $0 == "0" }
    }

    private struct Route {
        let name: Substring?
        let flags: Substring
        let destination: Substring
        /// Whether its destination is every address.
        let isDefault: Bool

        private static let isUp = 0x1
        private static let isReject = 0x200
        /// A route to one of this machine's own addresses.
        private static let isLocal = 0x8000_0000

        var leadsAnywhere: Bool {
            guard let name, name != "lo", let flags = Int(flags, radix: 16) else { return false }
            return flags & Self.isUp != 0 && flags & (Self.isReject | Self.isLocal) == 0
                && !staysOnTheLink
        }

        /// Whether the destination is a link-local or multicast address.
        private var staysOnTheLink: Bool {
            destination.hasPrefix("fe80") || destination.hasPrefix("ff")
        }
    }

    private static func rows(_ table: String) -> [[Substring]] {
        table.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
            .map { row in row.flatMap { $0.split(separator: "\t") } }
    }
}

/// Asks the kernel whether it has a route to a host. The host may still be unreachable.
package enum HostRoute: Sendable, Hashable {
    /// A host name; a route to any of its addresses counts.
    case host(String)
    /// An IP address, with or without brackets.
    case address(String)

    /// Whether a route exists now. Blocks during the lookup of a name.
    package var exists: Bool {
        switch self {
        case .host(let name):
            return RouteQuery.reaches(Self.withoutBrackets(name), isAddress: false)
        case .address(let text):
            return RouteQuery.reaches(Self.withoutBrackets(text), isAddress: true)
        }
    }

    private static func withoutBrackets(_ text: String) -> String {
        text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    }
}
