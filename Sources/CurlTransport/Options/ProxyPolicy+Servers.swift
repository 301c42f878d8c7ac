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

    /// This policy with other hosts that need no proxy.
    ///
    /// - Throws: As ``resolved()``.
    package func excepting(_ exceptions: [String]) throws(TransportError) -> ProxyPolicy {
        switch try resolved() {
        case .none, .environment: .none
        case .server(let server, _): .server(server, exceptions: exceptions)
        case .servers(let http, let https, _):
            .servers(http: http, https: https, exceptions: exceptions)
        }
    }

    /// The hosts that the environment variable `no_proxy` or `NO_PROXY` names.
    package static var environmentExceptions: [String] {
        EnvironmentProxies.exceptions { ProcessEnvironment.value(of: $0) }
    }

    /// The hosts in a list with commas or spaces between them, as in `no_proxy`.
    package static func exceptions(in list: String) -> [String] {
        EnvironmentProxies.exceptions(in: list)
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

extension ProxyServer {
    /// Parses an address as the environment variables have it.
    ///
    /// The form is `[scheme://][user[:password]@]host[:port][/]`, with the port 1080 by default, and
    /// 443 for `https`.
    ///
    /// - Parameter option: The name of the option, for the error.
    /// - Throws: ``TransportError/Code/configuration``. The error never contains the address, which
    ///   may have a password.
    package init(address: String, option: String) throws(TransportError) {
        do {
            self = try ProxyAddress.parse(address, option: option)
        } catch {
            throw error.transportError
        }
    }
}
