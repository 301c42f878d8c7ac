internal import Foundation

/// The kernel's routes, as `/proc/net` shows them (proc(5)).
package struct NetworkRoutes: Sendable {
    /// Whether one of them leads to another machine.
    package let leadAnywhere: Bool

    /// Those of this moment. Reads the kernel's tables.
    package static var current: NetworkRoutes {
        func table(_ name: String) -> String {
            (try? String(contentsOfFile: "/proc/net/\(name)", encoding: .utf8)) ?? ""
        }
        return NetworkRoutes(version4: table("route"), version6: table("ipv6_route"))
    }

    /// - Parameters:
    ///   - version4: Interface, destination, gateway, flags, and more, below a line of names.
    ///   - version6: Ten columns without names: destination first, flags and interface last.
    init(version4: String, version6: String) {
        let routes4 = Self.rows(version4).dropFirst().map { row in
            Route(name: row.first, flags: row.count > 3 ? row[3] : "", destination: "")
        }
        let routes6 = Self.rows(version6).map { row in
            Route(name: row.last, flags: row.dropLast().last ?? "", destination: row.first ?? "")
        }
        leadAnywhere = (routes4 + routes6).contains(where: \.leadsAnywhere)
    }

    private struct Route {
        let name: Substring?
        let flags: Substring
        let destination: Substring

        private static let isUp = 0x1
        private static let isReject = 0x200
        /// To an address of this machine's own.
        private static let isLocal = 0x8000_0000

        var leadsAnywhere: Bool {
            guard let name, name != "lo", let flags = Int(flags, radix: 16) else { return false }
            return flags & Self.isUp != 0 && flags & (Self.isReject | Self.isLocal) == 0
                && !staysOnTheLink
        }

        /// Addresses that every interface has, and those of groups.
        private var staysOnTheLink: Bool {
            destination.hasPrefix("fe80") || destination.hasPrefix("ff")
        }
    }

    private static func rows(_ table: String) -> [[Substring]] {
        table.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
            .map { row in row.flatMap { $0.split(separator: "\t") } }
    }
}
