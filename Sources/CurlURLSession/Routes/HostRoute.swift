internal import Curl

/// Whether the kernel has a route to a host. That it answers is another matter.
package enum HostRoute: Sendable, Hashable {
    /// To one of the addresses that a name has.
    case host(String)
    /// To an IP address, with or without brackets.
    case address(String)

    /// Whether there is one now. Blocks while a name is looked up.
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
