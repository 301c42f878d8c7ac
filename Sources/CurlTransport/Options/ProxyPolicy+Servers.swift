internal import Posix

extension ProxyPolicy {
    /// This policy with the environment's variables replaced by their current values.
    ///
    /// - Throws: ``TransportError/Code/configuration`` if a variable is not a proxy's address.
    package func resolved() throws(TransportError) -> ProxyPolicy {
        guard self == .environment else { return self }
        do {
            let found = try EnvironmentProxies { ProcessEnvironment.value(of: $0) }
            return .servers(
                http: found.clear,
                https: found.secure,
                exceptions: found.exceptions
            )
        } catch {
            throw error.transportError
        }
    }

    /// The proxy for `https` or for `http`; nil for none and for ``environment``.
    package func server(isSecure: Bool) -> ProxyServer? {
        switch self {
        case .none, .environment: nil
        case .server(let server, _): server
        case .servers(let http, let https, _): isSecure ? https : http
        }
    }

    /// This policy with another proxy for `https` or for `http`.
    package func with(_ server: ProxyServer, isSecure: Bool) -> ProxyPolicy {
        switch self {
        case .none, .environment: self
        case .server(_, let exceptions): .server(server, exceptions: exceptions)
        case .servers(let http, let https, let exceptions):
            .servers(
                http: isSecure ? http : server,
                https: isSecure ? server : https,
                exceptions: exceptions
            )
        }
    }
}
