import CurlTransport

extension BatchConfiguration {
    /// - Throws: As ``addressScope(proxy:)``.
    func validateAddressScope() throws(BatchFailure) {
        guard refusesPrivateAddresses else { return }
        _ = try addressScope(proxy: try connection.proxy.policy("connection.proxy"))
    }

    /// The addresses that may be connected to, through `proxy` or without one.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if private addresses have to be refused and
    ///   there is a proxy: only the proxy knows the addresses of servers.
    func addressScope(proxy: ProxyPolicy) throws(BatchFailure) -> AddressScope {
        guard refusesPrivateAddresses else { return .any }
        guard proxy == .none else {
            throw BatchFailure(
                .configuration,
                "private addresses can't be refused (--no-private, refusesPrivateAddresses) behind "
                    + "a proxy, which connects to servers by itself: remove the proxy, which may be "
                    + "one of the environment (--proxy ''), or allow private addresses and let the "
                    + "proxy refuse them"
            )
        }
        guard connection.unixSocket == nil else {
            throw BatchFailure(
                .configuration,
                "private addresses can't be refused (--no-private, refusesPrivateAddresses) over a "
                    + "Unix socket, which has no address: remove --unix-socket (unixSocket), or "
                    + "--no-private"
            )
        }
        return .publicOnly
    }
}
