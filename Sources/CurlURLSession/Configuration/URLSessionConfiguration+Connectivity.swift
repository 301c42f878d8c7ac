internal import CurlTransport
internal import Synchronization

// Properties that Apple's configurations have and FoundationNetworking's don't.

extension URLSessionConfiguration {
    /// Whether tasks wait for connectivity instead of failing; `false` by default.
    ///
    /// A task waits if the kernel has no route to the server, or has no route at all and so can't
    /// query a name server. The task notifies the delegate once. It retries after half a second,
    /// then less and less often, at least every 30 seconds. `timeoutIntervalForResource` limits the
    /// wait. Other errors fail the task at once.
    public var waitsForConnectivity: Bool {
        get { state.withLock { $0.waitsForConnectivity } }
        set { state.withLock { $0.waitsForConnectivity = newValue } }
    }

    /// Whether tasks may use expensive networks; `true` by default.
    ///
    /// It has no effect: Linux doesn't distinguish such networks.
    public var allowsExpensiveNetworkAccess: Bool {
        get { state.withLock { $0.unused.allowsExpensiveNetworkAccess } }
        set { state.withLock { $0.unused.allowsExpensiveNetworkAccess = newValue } }
    }

    /// Whether tasks may use constrained networks; `true` by default.
    ///
    /// It has no effect: Linux doesn't distinguish such networks.
    public var allowsConstrainedNetworkAccess: Bool {
        get { state.withLock { $0.unused.allowsConstrainedNetworkAccess } }
        set { state.withLock { $0.unused.allowsConstrainedNetworkAccess = newValue } }
    }

    /// The minimum TLS version; TLS 1.2 by default.
    ///
    /// A DTLS version means the TLS version that it is based on, since all connections are streams.
    /// The property is the `minimumVersion` of ``tlsConfiguration``.
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { tls_protocol_version_t(tlsConfiguration.minimumVersion) }
        set { state.withLock { $0.tls.minimumVersion = newValue.engineVersion } }
    }

    /// The maximum TLS version; TLS 1.3 by default.
    ///
    /// If it is lower than the minimum, every task fails. A DTLS version means the TLS version that
    /// it is based on, since all connections are streams. The property is the `maximumVersion` of
    /// ``tlsConfiguration``.
    public var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
        get { tlsConfiguration.maximumVersion.map { tls_protocol_version_t($0) } ?? .TLSv13 }
        set { state.withLock { $0.tls.maximumVersion = newValue.engineVersion } }
    }
}
