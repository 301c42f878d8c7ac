internal import Posix

/// A checked scope of addresses.
struct PreparedAddressScope {
    /// Whether no address is refused.
    let isAny: Bool

    private var allowed: [IPNetwork] = []

    init(_ scope: AddressScope) throws(InvalidOption) {
        isAny = scope.isAny
        for (index, text) in scope.allowed.enumerated() {
            guard let network = IPNetwork(text) else {
                throw InvalidOption(
                    "addressScope.allowing[\(index)]",
                    "is no IP address and no network; give it as 10.0.0.7, 10.0.0.0/24 or fd00::/8"
                )
            }
            allowed.append(network)
        }
    }

    /// Why no connection to `address` may be made or used, with the address; nil if it may.
    ///
    /// - Parameter address: Nil for what isn't an IP address.
    func refusal(of address: IPAddress?) -> String? {
        guard !isAny else { return nil }
        guard let address else { return "it is no IP address" }
        guard let kind = AddressClass(address), !allowed.contains(where: { $0.contains(address) })
        else { return nil }
        return "\(address), \(kind.name)"
    }
}
