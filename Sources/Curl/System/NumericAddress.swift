internal import CCurl
internal import Glibc

/// IP addresses as text, told apart from names without asking anybody.
package enum NumericAddress {
    case ipv4
    case ipv6

    /// What kind of address `text` is; nil if it is none. Brackets and zones aren't part of one.
    ///
    /// The corresponding C function is `inet_pton`.
    package static func kind(of text: String) -> NumericAddress? {
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 { return .ipv4 }
        var six = in6_addr()
        if unsafe inet_pton(AF_INET6, text, &six) == 1 { return .ipv6 }
        return nil
    }
}
