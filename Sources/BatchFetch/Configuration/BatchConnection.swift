internal import CurlTransport

/// How a run connects to servers.
///
/// The settings apply to the requests for `robots.txt`, too.
public struct BatchConnection: Sendable, Hashable {
    /// The proxies; ``BatchProxy/none`` by default.
    public var proxy = BatchProxy.none

    /// The TLS settings for connections to servers, not to proxies.
    public var tls = BatchTLS()

    /// Creates the default settings: direct connections.
    public init() {}

    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func validate() throws(BatchFailure) {
        try proxy.check("connection.proxy")
        try tls.validate()
    }

    /// Applies the settings to a transport's options.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func apply(to options: inout TransferOptions) throws(BatchFailure) {
        options.tls = tls.configuration
        options.proxy = try proxy.policy("connection.proxy")
    }
}
