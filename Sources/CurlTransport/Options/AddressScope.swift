/// Which addresses a transfer may connect to.
///
/// A service that fetches URLs which others choose must not reach its own network for them
/// (server-side request forgery). Checking the URL doesn't prevent that: a name may resolve to any
/// address, to another one at the next lookup, and a public server may redirect to a local one. So
/// the address is checked where the connection is made, for each address of a name and for each
/// redirect; and the address of an open connection is checked before each request that reuses it.
///
/// See <doc:PrivateAddresses>. Later versions may add scopes.
public struct AddressScope: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String, Sendable {
        case any
        case publicOnly
    }

    private let value: Value

    /// Addresses and networks that are allowed in addition.
    private(set) var allowed: [String] = []

    private init(_ value: Value) {
        self.value = value
    }

    /// Every address.
    public static let any = Self(.any)

    /// Addresses of public servers only.
    ///
    /// Refused are addresses of this machine, link-local, private, shared, unique local, multicast
    /// and reserved ones, and those of clouds' metadata services. An IPv6 address that carries an
    /// IPv4 address (IPv4-mapped, 6to4, `64:ff9b::/96`) is treated as the latter. If a name has
    /// other addresses, too, these are used. Otherwise the transfer fails with
    /// ``TransportError/Code/addressRefused`` before anything is sent.
    ///
    /// A unix socket, and a proxy, which connects by itself, can't be combined with it: that is a
    /// configuration error. Networks that an operator has chosen for NAT64 aren't known. Source: the
    /// registries of RFC 6890.
    public static let publicOnly = Self(.publicOnly)

    /// The same scope with more addresses, such as those of an own server.
    ///
    /// - Parameter addresses: IP addresses (`10.0.0.7`) and networks (`10.0.0.0/24`, `fd00::/8`).
    ///   Other text is a configuration error.
    public func allowing(_ addresses: [String]) -> Self {
        var scope = self
        scope.allowed += addresses
        return scope
    }

    /// The name, such as `publicOnly`.
    public var description: String { value.rawValue }

    /// Whether no address is refused.
    var isAny: Bool { value == .any }
}
