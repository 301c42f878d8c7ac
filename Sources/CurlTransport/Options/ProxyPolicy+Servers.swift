internal import Curl

extension ProxyPolicy {
    /// The same policy without mention of the environment, whose variables are read now.
    ///
    /// - Throws: ``TransportError/Code/configuration`` for a variable that is no proxy's address.
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

    /// The proxy for `https`, or for `http`; nil for none, and for what only the environment knows.
    package func server(isSecure: Bool) -> ProxyServer? {
        switch self {
        case .none, .environment: nil
        case .server(let server, _): server
        case .servers(let http, let https, _): isSecure ? https : http
        }
    }

    /// The same policy with another proxy for `https`, or for `http`.
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
