internal import CurlTransport
internal import Synchronization

// What Apple's configurations have and FoundationNetworking's lack.

extension URLSessionConfiguration {
    /// Whether tasks wait where there is no way to the server instead of failing at once; `false` by
    /// default. `timeoutIntervalForResource` says for how long.
    ///
    /// There is none where the kernel has no route to the server, or no route at all and so nobody to
    /// ask for its address. The delegate is told once, and the task tries again after half a second,
    /// then less and less often, at least every 30 seconds. What else fails, fails at once.
    public var waitsForConnectivity: Bool {
        get { state.withLock { $0.waitsForConnectivity } }
        set { state.withLock { $0.waitsForConnectivity = newValue } }
    }

    /// Whether tasks may use a network that costs much; `true` by default. Nothing depends on it:
    /// Linux doesn't tell such networks from others.
    public var allowsExpensiveNetworkAccess: Bool {
        get { state.withLock { $0.allowsExpensiveNetworkAccess } }
        set { state.withLock { $0.allowsExpensiveNetworkAccess = newValue } }
    }

    /// Whether tasks may use a network that is to be used sparingly; `true` by default. Nothing
    /// depends on it: Linux doesn't tell such networks from others.
    public var allowsConstrainedNetworkAccess: Bool {
        get { state.withLock { $0.allowsConstrainedNetworkAccess } }
        set { state.withLock { $0.allowsConstrainedNetworkAccess = newValue } }
    }

    /// The oldest version of TLS that is spoken; TLS 1.2 by default.
    ///
    /// A version of DTLS stands for the version of TLS that it was made from: connections are
    /// streams. The same as `minimumVersion` of ``tlsConfiguration``.
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { tls_protocol_version_t(tlsConfiguration.minimumVersion) }
        set { state.withLock { $0.tls.minimumVersion = newValue.engineVersion } }
    }

    /// The newest version of TLS that is spoken; TLS 1.3 by default. An older one than the minimum
    /// makes every task fail.
    ///
    /// A version of DTLS stands for the version of TLS that it was made from: connections are
    /// streams. The same as `maximumVersion` of ``tlsConfiguration``.
    public var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
        get { tlsConfiguration.maximumVersion.map { tls_protocol_version_t($0) } ?? .TLSv13 }
        set { state.withLock { $0.tls.maximumVersion = newValue.engineVersion } }
    }
}
